"""Notes as a model sees them: bare integers minted for one turn, and nothing else that it could imitate.

No id, title or address is ever in a prompt (shared/design/pipeline.md, stage 4): what is not there cannot be repeated.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from chat.answering.domain.stream.tokens import MintedMarkers
from corpus.domain.passage import Passage


@dataclass(frozen=True, slots=True)
class Footnote:
    """A note under its alias, from 1; `passage` is what the alias stands for and never leaves this side."""

    alias: int
    passage: Passage

    @property
    def label(self) -> str:
        return f"[^{self.alias}]"

    def as_dict(self) -> dict[str, Any]:
        """Return what the alias stood for, as a record keeps it."""
        return {"alias": self.alias, "chunk": str(self.passage.chunk_id), "address": self.passage.address}


def mint(passages: Iterable[Passage]) -> tuple[Footnote, ...]:
    """Number the passages from 1, in their order."""
    return tuple(Footnote(alias, passage) for alias, passage in enumerate(passages, start=1))


def compact(notes: Sequence[Footnote], used: Iterable[int]) -> tuple[Footnote, ...]:
    """Keep the notes used, in the order of their first use, numbered afresh. An alias never minted is passed over."""
    by_alias = {note.alias: note.passage for note in notes}
    return mint(by_alias[alias] for alias in dict.fromkeys(used) if alias in by_alias)


def minted(notes: Sequence[Footnote], actions: Iterable[int] = ()) -> MintedMarkers:
    """Return what markers may name: every note, verses and works' passages also as cards, the actions that fired."""
    return MintedMarkers(
        notes=frozenset(note.alias for note in notes),
        verses=frozenset(note.alias for note in notes if note.passage.kind == "verse"),
        chapters=frozenset(note.alias for note in notes if note.passage.kind != "lecture"),
        actions=frozenset(actions),
    )
