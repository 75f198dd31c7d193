"""When an editor's entry takes part in a turn. A wrong pin misleads and a missed one does not, so the bar is high."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from curation.domain.entry import Entry


class NoScale(ValueError):
    """The embedding space has no calibrated map from cosines to the reference scale."""


@dataclass(frozen=True, slots=True)
class CuratedRules:
    """The same for every model. What depends on the models is in `MatchRule`.

    note_cites: the score of a note's references. strong_references: so many visible references of a note that matches
    strongly replace the search of the corpus.
    """

    note_cites: float = 0.75
    strong_references: int = 3


@dataclass(frozen=True, slots=True)
class CitedReference:
    """A reference of an entry, by its folded address, and the chunks there that this reader may see."""

    key: str
    chunks: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like an entry a question is, and whether that is enough.

    similarity: 0..1, of a pin the chance that both ask the same, of a note its best cosine. threshold: what it is
    compared with. phrasing: the one that is most alike. judged: the reading model's support for it, 0..1, where the
    model was asked. strong: a note alike enough to replace the search. near: a pin that does not answer, but is
    offered, and whose references are read with what the search finds; the gate decides. reason: in words, for editors.
    """

    similarity: float
    threshold: float
    phrasing: str
    accepted: bool
    reason: str
    judged: float | None = None
    strong: bool = False
    near: bool = False


@dataclass(frozen=True, slots=True)
class CuratedMatch:
    """An entry that takes part in the turn.

    similarity, phrasing, judged, is_near, threshold: as in `Likeness`. cited: in the editors' order, the references
    that this reader can see; references without a passage are left out. skips_sweep: whether it replaces the search
    of the corpus. score: 0..1 of its chunks in the lane.
    """

    entry: Entry
    similarity: float
    phrasing: str
    cited: tuple[CitedReference, ...]
    skips_sweep: bool
    score: float
    judged: float | None = None
    is_near: bool = False
    threshold: float = 1.0

    @property
    def chunks(self) -> tuple[UUID, ...]:
        """The chunks of all references, in their order."""
        return tuple(dict.fromkeys(chunk for reference in self.cited for chunk in reference.chunks))


def replaces_sweep(kind: str, strong: bool, resolved: int, rules: CuratedRules) -> bool:
    """Whether an accepted entry replaces the search of the corpus: any pin, or a strong note.

    resolved: how many of its references are visible to this reader.
    """
    if kind == "pin":
        return resolved > 0
    return strong and resolved >= rules.strong_references


def on_reference_scale(cosine: float, points: Sequence[tuple[float, float]]) -> float:
    """Map a raw cosine through a calibrated, rising polyline of (cosine, reference) points, constant outside it.

    Raises NoScale without points.
    """
    if not points:
        message = "the embedding space has no calibrated map to the reference scale: run manage.py calibrate"
        raise NoScale(message)
    if cosine <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if cosine <= x1:
            return y0 + (y1 - y0) * (cosine - x0) / (x1 - x0)
    return points[-1][1]
