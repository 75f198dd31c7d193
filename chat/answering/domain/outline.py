"""The outline: which notes an answer can stand on, before anything is written. An empty one is a refusal."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from chat.answering.domain.footnotes import Footnote

THESES = 6
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "points": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "thesis": {"type": "string"},
                    "notes": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["thesis", "notes"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["points"],
    "additionalProperties": False,
}


class OutlineFault(ValueError):
    """What came is no outline; the message says why, for the record."""


@dataclass(frozen=True, slots=True)
class Thesis:
    text: str
    notes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """Theses, the most important first; without a text where none was formed. `invented`: aliases never minted."""

    theses: tuple[Thesis, ...]
    invented: int = 0
    fault: str = ""  # why what a model gave was no outline, where that is so

    @property
    def used(self) -> tuple[int, ...]:
        """Return the aliases used, in order, once each."""
        return tuple(dict.fromkeys(alias for thesis in self.theses for alias in thesis.notes))

    @property
    def formed(self) -> tuple[Thesis, ...]:
        """Return the theses that a model formed; none where the notes stand as ranked."""
        return tuple(thesis for thesis in self.theses if thesis.text)

    def as_dict(self, notes: Iterable[Footnote]) -> dict[str, Any]:
        """Return the outline as a record keeps it, with the notes under the aliases that its theses name them by."""
        theses = [{"text": thesis.text, "notes": list(thesis.notes)} for thesis in self.theses]
        return {
            "notes": [note.as_dict() for note in notes],
            "theses": theses,
            "invented": self.invented,
            "fault": self.fault,
        }

    def renumbered(self) -> tuple[Thesis, ...]:
        """Return the theses that have a text, their notes numbered as `footnotes.compact` numbers the used ones."""
        fresh = {alias: number for number, alias in enumerate(self.used, start=1)}
        return tuple(Thesis(thesis.text, tuple(fresh[alias] for alias in thesis.notes)) for thesis in self.formed)


def parse_outline(text: str, aliases: Collection[int]) -> Outline:
    """Read {"points": [{"thesis", "notes"}]}, nothing more and nothing less. Raises OutlineFault.

    A thesis whose notes were never minted stands on nothing and is left out.
    """
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OutlineFault("not JSON") from error
    if not isinstance(read, dict) or set(read) != {"points"} or not isinstance(read["points"], list):
        raise OutlineFault('not an object with "points"')
    theses = [_thesis(point) for point in read["points"]]
    kept = tuple(
        Thesis(thesis.text, known)
        for thesis in theses
        if (known := tuple(alias for alias in thesis.notes if alias in aliases))
    )
    invented = sum(alias not in aliases for thesis in theses for alias in thesis.notes)
    return Outline(kept[:THESES], invented)


def _thesis(point: object) -> Thesis:
    if not isinstance(point, dict) or set(point) != {"thesis", "notes"}:
        raise OutlineFault('a point without exactly "thesis" and "notes"')
    text, notes = point["thesis"], point["notes"]
    if not isinstance(text, str) or not text.strip():
        raise OutlineFault("a thesis that is no text")
    if not isinstance(notes, list) or not all(isinstance(note, int) and not isinstance(note, bool) for note in notes):
        raise OutlineFault("notes that are no integers")
    return Thesis(" ".join(text.split()), tuple(notes))


def ranked_outline(notes: Collection[Footnote]) -> Outline:
    """Return the outline made without a model: every note, as ranked."""
    return Outline(tuple(Thesis("", (note.alias,)) for note in notes))
