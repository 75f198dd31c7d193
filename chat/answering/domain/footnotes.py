"""Notes as a model sees them: numbers minted for one turn.

No id, title or address is ever in a prompt, so a model cannot repeat or imitate one (shared/design/pipeline.md, stage
4).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from chat.answering.domain.stream.tokens import MintedMarkers
from corpus.domain.passage import Passage


@dataclass(frozen=True, slots=True)
class Footnote:
    """A note. alias: its number, from 1. passage: only its text appears in prompts."""

    alias: int
    passage: Passage

    @property
    def label(self) -> str:
        return f"[^{self.alias}]"

    def as_dict(self) -> dict[str, Any]:
        """For the record: the passage that the alias refers to."""
        return {"alias": self.alias, "chunk": str(self.passage.chunk_id), "address": self.passage.address}


def mint(passages: Iterable[Passage]) -> tuple[Footnote, ...]:
    return tuple(Footnote(alias, passage) for alias, passage in enumerate(passages, start=1))


def compact(notes: Sequence[Footnote], used: Iterable[int]) -> tuple[Footnote, ...]:
    """The used notes, renumbered in order of first use. Aliases that were never minted are ignored."""
    by_alias = {note.alias: note.passage for note in notes}
    return mint(by_alias[alias] for alias in dict.fromkeys(used) if alias in by_alias)


def minted(notes: Sequence[Footnote]) -> MintedMarkers:
    """The markers a model may write: all notes, cards of verses, chapter cards of verses and works."""
    return MintedMarkers(
        notes=frozenset(note.alias for note in notes),
        verses=frozenset(note.alias for note in notes if note.passage.kind == "verse"),
        chapters=frozenset(note.alias for note in notes if note.passage.kind != "lecture"),
    )
