"""The two sides of a comparison: how each answers, and its answers as a judge reads them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from corpus.selectors import passages
from lectorium.asking import History, ReplayOptions, answer_with
from lectorium.threads import in_thread

MODES = ("instant", "auto", "thinking")
DRAFT = "draft"
SOURCES = 8  # shown to a judge
_MARKER = re.compile(r"\s*\[\^?\d+\]")


class BadSide(ValueError):
    """The side cannot be read; the message says how to write it."""


@dataclass(frozen=True, slots=True)
class AnswerSide:
    """A way to answer. draft: the answer is the model's first draft as written, before any check."""

    name: str
    options: ReplayOptions
    draft: bool = False


@dataclass(frozen=True, slots=True)
class SideAnswer:
    """sentences: (text, its evidence), the evidence "" where it has none. models: which wrote it."""

    sentences: tuple[tuple[str, str], ...]
    message: str
    outcome: str
    models: frozenset[str]
    sources: tuple[str, ...]

    @property
    def text(self) -> str:
        """The answer without citation numbers, which would tell the sides apart."""
        return " ".join(_MARKER.sub("", text) for text, _ in self.sentences) or self.message


def side_of(name: str) -> AnswerSide:
    """A side from its name: a mode, then options joined by +: row=ID of the ladder, verifier=NAME, draft.

    E.g. "auto", "thinking+row=0f…", "auto+draft". Raises BadSide.
    """
    mode, *parts = name.split("+")
    if mode not in MODES:
        raise BadSide(f"{name!r}: begin with {', '.join(MODES)}")
    given = dict(part.partition("=")[::2] for part in parts)
    if unknown := given.keys() - {"row", "verifier", DRAFT}:
        raise BadSide(f"{name!r}: {', '.join(sorted(unknown))} is none of row=, verifier=, draft")
    row = given.get("row", "")
    options = ReplayOptions(mode, "synthesize" if "row" in given else "", row, given.get("verifier", ""))
    return AnswerSide(name, options, DRAFT in given)


async def answers_of(sides: Sequence[AnswerSide], question: str, history: History) -> list[SideAnswer]:
    """The answer of each side. Sides that differ only in reading the draft share one turn, so they share its draft."""
    turns: dict[ReplayOptions, dict[str, Any]] = {}
    for side in sides:
        if side.options not in turns:
            turns[side.options] = await answer_with(question, history, side.options)
    texts = {options: await in_thread(_note_texts, turn["trace"]) for options, turn in turns.items()}
    return [answer_in(turns[side.options], texts[side.options], draft=side.draft) for side in sides]


def answer_in(turn: Mapping[str, Any], notes: Mapping[int, str], *, draft: bool) -> SideAnswer:
    """The answer of a turn, as shown or as drafted. A turn without a draft is read as shown.

    notes: the texts of the first draft's notes by number.
    """
    response, trace = turn["response"], turn["trace"]
    quotes = {cited["n"]: cited["quote"] for cited in response["citations"]}
    called = frozenset(call["model"] for call in trace.get("served") or () if call["outcome"] == "written")
    sources = tuple(dict.fromkeys((*notes.values(), *quotes.values())))[:SOURCES]
    if draft and (drafts := _drafts(trace)):
        sentences = tuple(
            (row["text"], " ".join(notes[n] for n in row.get("cited") or () if n in notes))
            for row in drafts[0]["sentences"]
        )
        return SideAnswer(sentences, "", response["outcome"], called, sources)
    shown = tuple(
        (row["text"], " ".join(quotes[n] for n in row["citations"] if n in quotes)) for row in response["sentences"]
    )
    return SideAnswer(shown, response["message"], response["outcome"], called, sources)


def _drafts(trace: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [row for row in trace.get("writing") or () if not row.get("outside")]


def _note_texts(trace: Mapping[str, Any]) -> dict[int, str]:
    """The texts of the notes that the first draft was written from, by number."""
    drafts = _drafts(trace)
    chunks = {note["alias"]: UUID(note["chunk"]) for note in drafts[0]["notes"]} if drafts else {}
    texts = {passage.chunk_id: passage.text for passage in passages(list(chunks.values()))}
    return {alias: texts[chunk] for alias, chunk in chunks.items() if chunk in texts}
