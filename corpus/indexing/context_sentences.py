"""Asks the `contextualize` model for a sentence that situates each chunk, a few at a time, during indexing.

The sentence only goes into the index. If this fails, a chunk is indexed by its titles and leading terms.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from corpus.domain.situation import RULES, SituationInput, read_situation
from corpus.models import Chunk, ChunkVector
from corpus.services.storing import situations_store
from lectorium.ladder.call_run import CallRun
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.ladder.selectors import has_model
from lectorium.providers.errors import TooSlow

log = logging.getLogger(__name__)
JOB = "contextualize"
AGAIN = "manage.py index --contextualize retries every chunk without a sentence"


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """at_once: chunks asked for and stored together. seconds: per chunk, over all rungs. misses: failures in a row
    after which the run stops asking.
    """

    at_once: int = 8
    seconds: float = 30.0
    misses: int = 8


LIMITS = ContextLimits()


@dataclass(frozen=True, slots=True)
class ContextSentence:
    """A sentence and its author, or the reason it is missing; all empty where no model is configured."""

    sentence: str = ""
    by: str = ""
    missing: str = ""


def unsituated() -> QuerySet[Chunk]:
    """Retrievable chunks, not duplicates, without a model's sentence."""
    return Chunk.objects.filter(situation="", retrievable=True, duplicate_of__isnull=True)


def awaiting(ids: Sequence[UUID], *, indexed: bool) -> list[UUID]:
    """The chunks to situate: new or changed ones, and if `indexed` also those already indexed."""
    chunks = unsituated().filter(pk__in=ids)
    if not indexed:
        current = ChunkVector.objects.filter(chunk_id=OuterRef("pk"), embedded_hash=OuterRef("embedded_hash"))
        chunks = chunks.filter(~Exists(current))
    return list(chunks.order_by().values_list("pk", flat=True))


class ContextWriter:
    """Asks for sentences during one index run, on one event loop, so that connections are reused.

    indexed: also ask for chunks indexed earlier without a sentence. `written` counts stored sentences; `remark` says
    why the run stopped asking.
    """

    def __init__(self, *, indexed: bool = False) -> None:
        self.is_on = has_model(JOB)
        self.indexed = indexed and self.is_on
        self.remark, self.written = "", 0
        self._limits, self._misses = LIMITS, 0
        self._calls = CallRun(JOB, self._limits.seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._calls.__exit__(*error)

    def write(self, ids: Sequence[UUID], keep: Callable[[int], None]) -> None:
        """Ask for the missing sentences of these chunks and store them.

        keep(n) is called in each transaction that stores n sentences, so that a run that lost its claim stores none.
        """
        if not self.is_on or self.remark:
            return
        waiting = awaiting(ids, indexed=self.indexed)
        for start in range(0, len(waiting), self._limits.at_once):
            shown = situation_inputs(waiting[start : start + self._limits.at_once])
            answers = self._calls.run(self._ask_all(shown))
            written = {pk: (answer.sentence, answer.by) for pk, answer in answers.items() if answer.sentence}
            with transaction.atomic():
                stored = situations_store(sentences=written)
                keep(stored)
            self.written += stored
            if self._should_stop(answers.values()):
                return

    def _should_stop(self, answers: Iterable[ContextSentence]) -> bool:
        for answer in answers:
            self._misses = self._misses + 1 if answer.missing else 0 if answer.sentence else self._misses
            if self._misses >= self._limits.misses:
                why = f"{self._misses} times in a row there was no sentence ({answer.missing})"
                self.remark = f"{JOB}: {why}, so no more was asked for; {AGAIN}"
                log.warning(self.remark)
                return True
        return False

    async def _ask_all(self, shown: dict[UUID, SituationInput]) -> dict[UUID, ContextSentence]:
        answers = await asyncio.gather(*(self._ask(str(pk), situation) for pk, situation in shown.items()))
        return dict(zip(shown, answers, strict=True))

    async def _ask(self, key: str, shown: SituationInput) -> ContextSentence:
        try:
            written, fault = await self._calls.ask(key, slots_of(shown))
        except TimeoutError:
            return ContextSentence(missing=TooSlow.fault)
        except Exception as error:  # an unreadable row must not stop indexing
            log.exception("contextualize failed; the chunk is indexed without a sentence")
            return ContextSentence(missing=f"{type(error).__name__}: {error}")
        if written is None:
            return ContextSentence(missing=fault)
        sentence = "" if written.truncated else read_situation(written.text, shown)
        by = f"{written.served.model} {written.served.prompt}"
        return ContextSentence(sentence, by) if sentence else ContextSentence(missing="not a usable sentence")


def slots_of(shown: SituationInput) -> dict[str, Slot]:
    """The slots of the prompt."""
    around = (("What stands before it", shown.before), ("What stands after it", shown.after))
    return {
        "words": str(RULES.most_words),
        "source": (FencedText("The source", shown.source),),
        "around": tuple(FencedText(label, text) for label, text in around if text),
        "passage": (FencedText("The passage", shown.passage),),
    }


def situation_inputs(ids: Sequence[UUID]) -> dict[UUID, SituationInput]:
    """The model's input for each chunk that still exists. Two queries."""
    chunks = Chunk.objects.filter(pk__in=ids).only("lecture_id", "work_id", "ordinal", "heading", "context", "text")
    beside = Q(pk__in=())
    for chunk in chunks:
        beside |= Q(lecture=chunk.lecture_id, work=chunk.work_id, ordinal__in=(chunk.ordinal - 1, chunk.ordinal + 1))
    rows = Chunk.objects.filter(beside).order_by().values_list("lecture_id", "work_id", "ordinal", "text")
    texts: dict[tuple[UUID | None, int], str] = {(lecture or work, n): text for lecture, work, n, text in rows}

    def text_at(chunk: Chunk, step: int) -> str:
        return texts.get((chunk.lecture_id or chunk.work_id, chunk.ordinal + step), "")

    return {
        chunk.pk: SituationInput.of(_source(chunk), chunk.text, text_at(chunk, -1), text_at(chunk, 1))
        for chunk in chunks
    }


def _source(chunk: Chunk) -> str:
    """The context line, preceded for a verse by its heading, since the line names only the chapter."""
    return f"{chunk.heading}. {chunk.context}" if chunk.work_id else chunk.context
