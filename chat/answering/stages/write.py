"""Stage 4 with a chat model: an outline of the notes that answer, then an answer streamed sentence by sentence."""

import re
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace

from django.conf.locale import LANG_INFO

from chat.answering.domain.answer import CONFLICTING
from chat.answering.domain.cards import offered
from chat.answering.domain.checking import VerifiedSentence
from chat.answering.domain.footnotes import Footnote
from chat.answering.domain.outline import SCHEMA, THESES, Outline, OutlineFault, Thesis, parse_outline, ranked_outline
from chat.answering.domain.question import HistoryMessage
from chat.answering.domain.stream.assembler import HOLD, Assembler, DraftSentence
from chat.answering.domain.stream.gauntlet import Gauntlet
from chat.answering.domain.stream.markup import SENTINEL
from chat.answering.domain.stream.tokens import DroppedText, DropReason, MintedMarkers
from chat.answering.domain.writing_rules import WritingRules
from lectorium.ladder import calling
from lectorium.ladder.calling import unfenced
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.providers.errors import CutOff, EmptyAnswer, ProviderError
from lectorium.providers.protocols import Piece

_SHOWN_MARK = re.compile(rf"\s?\[\d{{1,3}}\]|{re.escape(CONFLICTING)}")
_ENDS = re.compile(r"[.!?…।॥。！？][\"'”’)\]»]*$")


def outline_slots(question: str, notes: Sequence[Footnote]) -> dict[str, Slot]:
    """Return what the prompt of an outline is filled with."""
    return {
        "theses": str(THESES),
        "notes": fenced_notes(notes),
        "question": (FencedText("Question", question),),
    }


async def outline_notes(question: str, notes: Sequence[Footnote], key: str) -> Outline:
    """Return the outline of the ladder's model; without a valid one, every note as ranked."""
    written = await calling.write("outline", key, outline_slots(question, notes), schema=SCHEMA)
    if written is None:
        return ranked_outline(notes)
    try:
        return parse_outline(unfenced(written.text), {note.alias for note in notes})
    except OutlineFault as fault:
        return replace(ranked_outline(notes), fault=str(fault))


def answer_slots(
    question: str,
    notes: Sequence[Footnote],
    history: Sequence[HistoryMessage],
    rules: WritingRules,
    background: Sequence[str] = (),
    outline: Sequence[Thesis] = (),
    locale: str = "",
) -> dict[str, Slot]:
    """Return what the prompt of an answer is filled with; earlier answers lose the marks they were shown with.

    background: what editors know of the subject, without a number to cite it by. outline: what an answer can say, as
    the planner saw it, over the numbers of `notes`; no source either.
    """
    said = tuple(
        FencedText(message.role.capitalize(), _SHOWN_MARK.sub("", message.content)[: rules.history_chars])
        for message in history[-rules.history :]
    )
    return {
        "notes": fenced_notes(notes),
        "outline": tuple(FencedText(f"Point from {labels(thesis.notes)}", thesis.text) for thesis in outline),
        "background": tuple(FencedText("Background", text) for text in background),
        "conversation": said,
        "question": (FencedText("Question", question),),
        "cards": offered(notes),
        "language": language_slot(locale),
        "sentences": str(rules.sentences),
        "sentinel": SENTINEL,
    }


def language_slot(locale: str) -> str:
    """Return the language to write in: the reader's by name, where the question itself does not say otherwise."""
    known = LANG_INFO.get(locale.partition("-")[0].lower(), {}).get("name")
    return f"{known}, or the question's own language where that is another" if known else "the question's language"


def labels(aliases: Iterable[int]) -> str:
    return "".join(f"[^{alias}]" for alias in aliases)


def repair_slots(
    question: str, notes: Sequence[Footnote], draft: str, failures: Mapping[str, Iterable[str]], locale: str = ""
) -> dict[str, Slot]:
    """Return what the prompt of a repair is filled with: the draft as written; each sentence that failed, and why."""
    said = "\n".join(f"{text} — {', '.join(dict.fromkeys(reasons))}" for text, reasons in failures.items())
    return {
        "notes": fenced_notes(notes),
        "question": (FencedText("Question", question),),
        "draft": (FencedText("Draft", draft),),
        "failures": (FencedText("Failures", said),),
        "language": language_slot(locale),
        "sentinel": SENTINEL,
    }


def as_written(sentence: VerifiedSentence) -> str:
    return sentence.drafted.text + labels(marker.number for marker in sentence.drafted.markers)


def fenced_notes(notes: Sequence[Footnote]) -> tuple[FencedText, ...]:
    return tuple(FencedText(note.label, note.passage.text) for note in notes)


class Draft:
    """One answer while it is written. Afterwards it says whether the model abstained, and what was dropped."""

    def __init__(self, pieces: AsyncGenerator[Piece, None], minted: MintedMarkers) -> None:
        """Take the pieces of an answer, whoever waits for them, and what its markers may name."""
        self.abstained = False
        self._pieces = pieces
        self._gauntlet, self._assembler = Gauntlet(minted), Assembler(hold=HOLD if minted.notes else 0)

    @property
    def dropped(self) -> list[DroppedText]:
        return self._gauntlet.dropped + self._assembler.dropped

    async def sentences(self) -> AsyncGenerator[DraftSentence, None]:
        """Yield each sentence once it is whole. Where the model fails, ProviderError follows the last whole one."""
        said = fault = None
        try:
            async with aclosing(self._words()) as words:
                async for text in words:
                    said = said or text.strip()
                    for sentence in self._assembler.feed(self._gauntlet.feed(text)):
                        yield sentence
                    if self._has_abstained():
                        return
        except ProviderError as error:
            fault = error
        rest = self._assembler.feed(self._gauntlet.flush()) + self._assembler.flush()
        if self._has_abstained():
            return
        for sentence in rest if fault is None else [sentence for sentence in rest if _ENDS.search(sentence.text)]:
            yield sentence
        if fault or not said:
            raise fault or EmptyAnswer("the answer has no word")

    async def _words(self) -> AsyncGenerator[str, None]:
        truncated = False
        async with aclosing(self._pieces) as pieces:
            async for piece in pieces:
                truncated = piece.truncated or truncated
                yield piece.text
        if truncated:
            raise CutOff("the token limit cut the answer")

    def _has_abstained(self) -> bool:
        self.abstained = self.abstained or any(
            drop.reason is DropReason.LEAKED and drop.text.upper().startswith(SENTINEL)
            for drop in self._gauntlet.dropped
        )
        return self.abstained
