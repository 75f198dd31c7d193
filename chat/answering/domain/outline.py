"""The outline: which notes the answer can use, decided before writing. An empty outline is a refusal."""

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
    """The model's output is not an outline; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Thesis:
    text: str
    notes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """Theses, most important first; their texts are empty without a model. invented: number of aliases never minted."""

    theses: tuple[Thesis, ...]
    invented: int = 0
    fault: str = ""  # why the model's output was not an outline

    @property
    def used(self) -> tuple[int, ...]:
        """The aliases of all theses, in order, without repeats."""
        return tuple(dict.fromkeys(alias for thesis in self.theses for alias in thesis.notes))

    @property
    def formed(self) -> tuple[Thesis, ...]:
        """The theses with a text, which a model wrote."""
        return tuple(thesis for thesis in self.theses if thesis.text)

    def as_dict(self, notes: Iterable[Footnote]) -> dict[str, Any]:
        """For the record: the outline and its notes by alias."""
        theses = [{"text": thesis.text, "notes": list(thesis.notes)} for thesis in self.theses]
        return {
            "notes": [note.as_dict() for note in notes],
            "theses": theses,
            "invented": self.invented,
            "fault": self.fault,
        }

    def renumbered(self) -> tuple[Thesis, ...]:
        """The theses with a text, with the note numbers that `footnotes.compact` gives the used notes."""
        numbers = {alias: number for number, alias in enumerate(self.used, start=1)}
        return tuple(Thesis(thesis.text, tuple(numbers[alias] for alias in thesis.notes)) for thesis in self.formed)


def parse_outline(text: str, aliases: Collection[int]) -> Outline:
    """Parse {"points": [{"thesis", "notes"}]}. Raises OutlineFault for missing or additional keys.

    Aliases that were never minted are removed, and so is a thesis without any other.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OutlineFault("not JSON") from error
    if not isinstance(data, dict) or set(data) != {"points"} or not isinstance(data["points"], list):
        raise OutlineFault('not an object with "points"')
    theses = [_thesis(point) for point in data["points"]]
    valid = tuple(
        Thesis(thesis.text, minted)
        for thesis in theses
        if (minted := tuple(alias for alias in thesis.notes if alias in aliases))
    )
    invented = sum(alias not in aliases for thesis in theses for alias in thesis.notes)
    return Outline(valid[:THESES], invented)


def _thesis(point: object) -> Thesis:
    if not isinstance(point, dict) or set(point) != {"thesis", "notes"}:
        raise OutlineFault('a point without exactly "thesis" and "notes"')
    text, notes = point["thesis"], point["notes"]
    if not isinstance(text, str) or not text.strip():
        raise OutlineFault("a thesis that is not text")
    if not isinstance(notes, list) or not all(isinstance(note, int) and not isinstance(note, bool) for note in notes):
        raise OutlineFault("notes that are not integers")
    return Thesis(" ".join(text.split()), tuple(notes))


def ranked_outline(notes: Collection[Footnote]) -> Outline:
    """The outline without a model: every note, as ranked."""
    return Outline(tuple(Thesis("", (note.alias,)) for note in notes))
