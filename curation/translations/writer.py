"""Asks the `translate` model for translations, a few at a time."""

import asyncio
import logging
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from django.conf.locale import LANG_INFO

from curation.translations.checking import terms_of
from curation.translations.models import Translation
from curation.translations.services import translation_fail, translation_store
from lectorium.ladder import calling
from lectorium.ladder.call_run import CallRun
from lectorium.ladder.prompts import NOTHING, FencedText, Slot
from lectorium.providers.errors import TooSlow

log = logging.getLogger(__name__)
JOB, PROMPT = "translate", "translate_text"
WHAT = {
    Translation.Part.QUESTION: "a question",
    Translation.Part.PHRASING: "a question",
    Translation.Part.FRAMING: "an editor's introduction to quoted passages",
    Translation.Part.NOTE_TITLE: "the title of a note",
    Translation.Part.NOTE_BODY: "a note",
    Translation.Part.LECTURE_TITLE: "the title of a lecture",
    Translation.Part.LECTURE_SUMMARY: "the summary of a lecture",
}
ONE_LINE = frozenset(WHAT) - {Translation.Part.FRAMING, Translation.Part.NOTE_BODY}
CUT = "The model's answer was cut at its limit of tokens. Raise that limit in its row, or translate the text here."
NOT_TEXT = "The model answered without a text. Translate it here."


@dataclass(frozen=True, slots=True)
class WriterLimits:
    """at_once: texts asked for and stored together. seconds: per text, over all rungs. misses: failures in a row after
    which the run stops asking.
    """

    at_once: int = 4
    seconds: float = 120.0
    misses: int = 4


_JOINERS = "\u200c\u200d"  # Indic and Arabic spelling needs them
LIMITS = WriterLimits()


@dataclass(frozen=True, slots=True)
class ModelTranslation:
    """A model's text and its author; or a problem for the editor; or the fault of a model that could not be reached."""

    text: str = ""
    author: str = ""
    problem: str = ""
    fault: str = ""


class TranslationWriter:
    """One run, on one event loop, so that connections are reused. `remark` says why it stopped asking."""

    def __init__(self, limits: WriterLimits = LIMITS) -> None:
        self.written, self.failed, self.remark = 0, 0, ""
        self._limits, self._misses = limits, 0
        self._calls = CallRun(JOB, limits.seconds, prompt_name=PROMPT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._calls.__exit__(*error)

    def write(self, rows: list[Translation]) -> None:
        """Ask for these translations and store what comes."""
        for start in range(0, len(rows), self._limits.at_once):
            batch = rows[start : start + self._limits.at_once]
            prompts = [slots_of(row) for row in batch]
            for row, answer in zip(batch, self._calls.run(self._ask_all(batch, prompts)), strict=True):
                self._store(row, answer)
            if self.remark:
                log.warning(self.remark)
                return

    def _store(self, row: Translation, answer: ModelTranslation) -> None:
        if answer.text:
            self.written += translation_store(row=row, text=answer.text, author=answer.author)
        elif answer.problem:
            self.failed += translation_fail(row=row, problem=answer.problem)
        self._misses = self._misses + 1 if answer.fault else 0
        if self._misses >= self._limits.misses:
            times = f"{self._misses} times in a row the model did not answer ({answer.fault})"
            self.remark = f"{times}, so no more was asked for; the next run goes on"

    async def _ask_all(self, rows: Iterable[Translation], prompts: list[dict[str, Slot]]) -> list[ModelTranslation]:
        asked = (self._ask(str(row.pk), slots, row.part in ONE_LINE) for row, slots in zip(rows, prompts, strict=True))
        return await asyncio.gather(*asked)

    async def _ask(self, key: str, slots: dict[str, Slot], is_line: bool) -> ModelTranslation:
        try:
            written, fault = await self._calls.ask(key, slots)
        except TimeoutError:
            return ModelTranslation(fault=TooSlow.fault)
        except Exception as error:  # one text must not stop the others
            log.exception("a translation failed")
            return ModelTranslation(fault=type(error).__name__)
        if written is None:
            return ModelTranslation(fault=fault or "no model")
        if written.truncated:
            return ModelTranslation(problem=CUT)
        text = " ".join(readable(written.text).split()) if is_line else readable(written.text)
        author = f"{written.served.model} {written.served.prompt}"
        return ModelTranslation(text, author) if text else ModelTranslation(problem=NOT_TEXT)


def readable(answer: str) -> str:
    """A model's answer without the fence or bars it may have copied, and without invisible characters."""
    lines = calling.unfenced(answer).strip().splitlines()
    if lines and all(line.startswith("|") for line in lines):
        lines = [line[1:].strip() for line in lines]
    return "\n".join("".join(filter(_is_visible, line)) for line in lines).strip()


def _is_visible(character: str) -> bool:
    return character in _JOINERS or unicodedata.category(character) not in ("Cc", "Cf", "Cs")


def slots_of(row: Translation) -> dict[str, Slot]:
    """The slots of the prompt."""
    terms = [f"{term.term} → {' or '.join(term.renderings)}" for term in terms_of(row)]
    return {
        "source_language": language_name(row.language),
        "language": language_name(row.locale),
        "what": WHAT[Translation.Part(row.part)],
        "terms": "; ".join(terms) or NOTHING,
        "text": (FencedText("The text", row.source),),
    }


def language_name(code: str) -> str:
    """The English name of a language, or its code where Django has none."""
    known = LANG_INFO.get(code.lower()) or LANG_INFO.get(code.partition("-")[0].lower()) or {}
    return str(known.get("name") or code)
