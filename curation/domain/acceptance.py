"""When an editor's entry takes part in a turn. Asymmetric on purpose: a wrong pin misleads, a missed one does not.

Similarities here are on the reference scale (shared/design/pipeline.md, "Similarity scale"), not raw cosines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from uuid import UUID


class NoScale(ValueError):
    """The embedding space has no calibrated map for question and phrasing, so no likeness means anything."""


@dataclass(frozen=True, slots=True)
class CuratedRules:
    """Operating points, each 0..1 but `strong_references`, a count.

    pin_accept: a pinned question is taken as asked. pin_border: from here up to pin_accept a judge decides, by
    pin_judged. note_accept: a note shapes the framing. note_cites: the score its references enter with.
    note_strong: with `strong_references` resolvable references it replaces the sweep.
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
    """A published pin or note: every phrasing it is matched on, its references, and for a note its body."""

    id: UUID
    kind: str
    language: str
    phrasings: tuple[str, ...]
    references: tuple[str, ...]
    body: str = ""

    @property
    def title(self) -> str:
        """Return what its editors know it by, which it is matched on first: a pin's question, a note's title."""
        return self.phrasings[0]


@dataclass(frozen=True, slots=True)
class CuratedMatch:
    """An entry that takes part in the turn.

    similarity: 0..1 on the reference scale. phrasing: the one that matched. chunks: what its references give to this
    reader. skips_sweep: does it replace the search of the corpus? score: 0..1, what the chunks enter the lane with.
    judged: the judge's 0..1 where it was asked.
    """

    entry: Entry
    similarity: float
    phrasing: str
    chunks: tuple[UUID, ...]
    skips_sweep: bool
    score: float
    judged: float | None = None


class PinDecision(StrEnum):
    """What becomes of a pinned question that resembles the one asked."""

    ACCEPT = "accept"
    ASK_JUDGE = "ask_judge"
    REJECT = "reject"


def decide_pin(similarity: float, *, same_language: bool, rules: CuratedRules) -> PinDecision:
    """Accept, ask the judge, or reject, by similarity alone; another language is always rejected."""
    if not same_language or similarity < rules.pin_border:
        return PinDecision.REJECT
    return PinDecision.ACCEPT if similarity >= rules.pin_accept else PinDecision.ASK_JUDGE


def replaces_sweep(kind: str, similarity: float, resolved: int, rules: CuratedRules) -> bool:
    """Does an accepted entry bring enough of its own for the sweep to be skipped: a pin anything, a note a good deal?

    resolved: how many of its references give something to this reader; a dead one, or one outside the scope, does not.
    """
    if kind == "pin":
        return resolved > 0
    return similarity >= rules.note_strong and resolved >= rules.strong_references


def on_reference_scale(cosine: float, points: Sequence[tuple[float, float]]) -> float:
    """Map a raw cosine through a calibrated, rising polyline of (cosine, reference) points; flat outside it.

    Raises NoScale where no points were calibrated.
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
