"""Previews the messages that a changed prompt would send for a recorded turn, before readers meet it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from chat.answering.domain.footnotes import Footnote, mint
from chat.answering.domain.outline import Outline, Thesis
from chat.answering.domain.writing_rules import WritingRules
from chat.answering.follow_ups import suggest_slots
from chat.answering.stages.write import answer_slots, outline_slots, repair_slots
from chat.answering.verifiers import split_slots
from chat.models import Turn
from corpus.selectors import passages
from lectorium.ladder.judging import judge_slots
from lectorium.ladder.prompts import FencedText, Prompt, Slot, check_replaces
from lectorium.providers.protocols import ChatMessage


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """What is stored of a turn.

    asked: the question as typed. question: the standalone question. notes: the passages it kept, with today's text.
    """

    asked: str
    question: str
    locale: str
    notes: tuple[Footnote, ...]
    trace: Mapping[str, Any]
    response: Mapping[str, Any]

    def outlined(self) -> tuple[tuple[Footnote, ...], tuple[Thesis, ...]]:
        """The notes that the turn's outline used, and its theses; all notes and no theses without an outline."""
        recorded = self.trace.get("outline", {})
        theses = (Thesis(thesis["text"], tuple(thesis["notes"])) for thesis in recorded.get("theses", ()))
        outline = Outline(tuple(theses))
        chunks = {note["alias"]: UUID(note["chunk"]) for note in recorded.get("notes", ())}
        notes = mint(passages([chunks[alias] for alias in outline.used if alias in chunks]))
        if not notes or len(notes) < len(outline.used):  # a thesis may rest on a note that was withdrawn since
            return notes or self.notes, ()
        return notes, outline.renumbered()


def preview(turn: Turn, name: str, text: str) -> tuple[ChatMessage, ...]:
    """The messages that `text`, as the prompt `name`, would send for the turn.

    Leaves out withdrawn passages and earlier turns. Raises ValueError if the text cannot replace the prompt, or the
    turn lacks the values to fill it.
    """
    check_replaces(name, text)
    return Prompt(name, text).fill(**SLOTS[name](_stored(turn)))


def _stored(turn: Turn) -> RecordedTurn:
    audit = turn.audits.first()
    trace = audit.trace if audit else {}
    kept = [UUID(candidate["chunk"]) for candidate in trace.get("candidates", ()) if candidate.get("kept")]
    notes = mint(passages(kept[: WritingRules().notes]))
    question = turn.standalone_question or turn.question
    return RecordedTurn(turn.question, question, turn.locale, notes, trace, turn.response or {})


def _question(stored: RecordedTurn) -> dict[str, Slot]:
    return {"question": (FencedText("Question", stored.asked),)}


def _planned(stored: RecordedTurn) -> dict[str, Slot]:
    return {"conversation": (), **_question(stored)}


def _answer(stored: RecordedTurn) -> dict[str, Slot]:
    notes, theses = stored.outlined()
    return answer_slots(stored.question, notes, (), WritingRules(), (), theses, stored.locale)


def _repair(stored: RecordedTurn) -> dict[str, Slot]:
    drafts = [attempt["sentences"] for attempt in stored.trace.get("writing", ()) if attempt.get("sentences")]
    draft = drafts[0] if drafts else ()
    failures = {
        sentence["text"]: [objection["reason"] for objection in sentence["objections"]]
        for sentence in draft
        if sentence["withheld"]
    }
    if not failures:
        raise ValueError("this turn has no model draft with a failed sentence; choose another turn")
    written = " ".join(sentence["text"] for sentence in draft)
    return repair_slots(stored.question, stored.notes, written, failures, stored.locale)


def _suggested(stored: RecordedTurn) -> dict[str, Slot]:
    return suggest_slots(
        stored.asked, [citation["quote"] for citation in stored.response.get("citations", ())], stored.locale
    )


def _split(stored: RecordedTurn) -> dict[str, Slot]:
    return split_slots(_sentence(stored)["text"])


def _judged(stored: RecordedTurn) -> dict[str, Slot]:
    sentence = _sentence(stored)
    quotes = {citation["n"]: citation["quote"] for citation in stored.response["citations"]}
    return judge_slots(quotes[sentence["citations"][0]], sentence["claims"][0]["text"])


def _sentence(stored: RecordedTurn) -> Mapping[str, Any]:
    """The first shown sentence with a claim and a citation."""
    for sentence in stored.response.get("sentences", ()):
        if sentence["citations"] and sentence["claims"]:
            return dict(sentence)
    raise ValueError("this turn has no sentence with a citation; choose another turn")


SLOTS: Mapping[str, Callable[[RecordedTurn], dict[str, Slot]]] = {
    "synthesize": _answer,
    "outline": lambda stored: outline_slots(stored.question, stored.notes),
    "cove": _repair,
    "route": _planned,
    "plan": _planned,
    "title": _question,
    "suggest": _suggested,
    "translate": _question,
    "knowledge": lambda stored: {"question": (FencedText("Question", stored.question),)},
    "extract_claims": _split,
    "verify": _judged,
}
