"""What a prompt comes to for a turn that was once asked: tried on paper, before readers meet it."""

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
    """What is kept of a turn: its question, by itself too, the passages it kept as they read today, trace, response."""

    asked: str
    question: str
    locale: str
    notes: tuple[Footnote, ...]
    trace: Mapping[str, Any]
    response: Mapping[str, Any]

    def outlined(self) -> tuple[tuple[Footnote, ...], tuple[Thesis, ...]]:
        """Return the notes that the turn's outline used, and its theses; every note and none without an outline."""
        told = self.trace.get("outline", {})
        outline = Outline(tuple(Thesis(thesis["text"], tuple(thesis["notes"])) for thesis in told.get("theses", ())))
        chunks = {note["alias"]: UUID(note["chunk"]) for note in told.get("notes", ())}
        notes = mint(passages([chunks[alias] for alias in outline.used if alias in chunks]))
        if not notes or len(notes) < len(outline.used):  # of a note that was withdrawn since, a thesis says too much
            return notes or self.notes, ()
        return notes, outline.renumbered()


def preview(turn: Turn, name: str, text: str) -> tuple[ChatMessage, ...]:
    """Return the messages that `text`, as the prompt of this name, would send for the turn.

    What was withdrawn since is left out, and so is the conversation before it. Raises ValueError where the text cannot
    replace the prompt, or the turn has nothing to fill it with.
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
    drafts = [one["sentences"] for one in stored.trace.get("writing", ()) if one.get("sentences")]
    draft = drafts[0] if drafts else ()
    failures = {one["text"]: [other["reason"] for other in one["objections"]] for one in draft if one["withheld"]}
    if not failures:
        raise ValueError("this turn has no draft of a model in which a sentence failed; choose another turn")
    written = " ".join(one["text"] for one in draft)
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
    """Return the first sentence shown that claims something and cites it."""
    for sentence in stored.response.get("sentences", ()):
        if sentence["citations"] and sentence["claims"]:
            return dict(sentence)
    raise ValueError("this turn shows no sentence with a citation; choose another turn")


SLOTS: Mapping[str, Callable[[RecordedTurn], dict[str, Slot]]] = {
    "synthesize": _answer,
    "outline": lambda stored: outline_slots(stored.question, stored.notes),
    "cove": _repair,
    "route": _planned,
    "plan": _planned,
    "title": _question,
    "suggest": _suggested,
    "knowledge": lambda stored: {"question": (FencedText("Question", stored.question),)},
    "extract_claims": _split,
    "verify": _judged,
}
