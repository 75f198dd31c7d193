"""When an editor's entry takes part in a turn. A wrong pin misleads and a missed one does not, so the bars are high.

Similarities are on the reference scale (docs/thresholds.md), not raw cosines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from uuid import UUID


class NoScale(ValueError):
    """The embedding space has no calibrated map from cosines to the reference scale."""


@dataclass(frozen=True, slots=True)
class CuratedRules:
    """Thresholds, each 0..1 except the count `strong_references`.

    pin_accept: the pinned question counts as asked. pin_border..pin_accept: the judge decides, by pin_judged.
    note_accept: the note is used as background. note_cites: the score of its references.
    note_strong: with `strong_references` resolvable references, the note replaces the search of the corpus.
    """

    pin_accept: float = 0.85
    pin_border: float = 0.70
    pin_judged: float = 0.50
    note_accept: float = 0.60
    note_cites: float = 0.75
    note_strong: float = 0.70
    strong_references: int = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """A published pin or note: the phrasings it is matched on, its references, and a note's body."""

    id: UUID
    kind: str
    language: str
    phrasings: tuple[str, ...]
    references: tuple[str, ...]
    body: str = ""

    @property
    def title(self) -> str:
        """A pin's question or a note's title, which is its first phrasing."""
        return self.phrasings[0]


@dataclass(frozen=True, slots=True)
class CuratedMatch:
    """An entry that takes part in the turn.

    similarity: 0..1 on the reference scale. phrasing: the best match. chunks: the references visible to this reader.
    skips_sweep: whether it replaces the search of the corpus. score: 0..1 of its chunks in the lane. judged: the
    judge's score, if asked.
    """

    entry: Entry
    similarity: float
    phrasing: str
    chunks: tuple[UUID, ...]
    skips_sweep: bool
    score: float
    judged: float | None = None


class PinDecision(StrEnum):
    ACCEPT = "accept"
    ASK_JUDGE = "ask_judge"
    REJECT = "reject"


def decide_pin(similarity: float, *, same_language: bool, rules: CuratedRules) -> PinDecision:
    """Decide by similarity alone; a pin in another language is always rejected."""
    if not same_language or similarity < rules.pin_border:
        return PinDecision.REJECT
    return PinDecision.ACCEPT if similarity >= rules.pin_accept else PinDecision.ASK_JUDGE


def replaces_sweep(kind: str, similarity: float, resolved: int, rules: CuratedRules) -> bool:
    """Whether an accepted entry replaces the search of the corpus: any pin, or a strong note.

    resolved: how many of its references are visible to this reader.
    """
    if kind == "pin":
        return resolved > 0
    return similarity >= rules.note_strong and resolved >= rules.strong_references


def on_reference_scale(cosine: float, points: Sequence[tuple[float, float]]) -> float:
    """Map a raw cosine through a calibrated, rising polyline of (cosine, reference) points, constant outside it.

    Raises NoScale without points.
    """
    if not points:
        message = "the embedding space has no calibrated map for question and phrasing: run manage.py calibrate"
        raise NoScale(message)
    if cosine <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if cosine <= x1:
            return y0 + (y1 - y0) * (cosine - x0) / (x1 - x0)
    return points[-1][1]
