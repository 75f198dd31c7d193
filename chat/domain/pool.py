"""The pool: what the lanes found, merged by reciprocal rank fusion."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from corpus.domain.passage import Passage

# Cormack, Clarke and Buettcher (2009) found 60 robust; seed 003 uses the same.
RRF_K = 60


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many candidates a mode keeps, and how many hits the lexical lane may force past every cut."""

    cap: int = 60
    forced: int = 10


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found by one lane: its rank there, from 1, and the lane's own value (its scale differs by lane)."""

    chunk_id: UUID
    lane: str
    rank: int
    value: float


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk with every lane that found it, before its text is fetched."""

    chunk_id: UUID
    fused: float
    lanes: Mapping[str, Hit]
    forced: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A found passage.

    similarity: best cosine with the question's wordings. term_share: share of the question's words it holds, each
    weighed by its rarity, 0..1. rerank_score and answerability: a cross-encoder's, None without one.
    """

    passage: Passage
    fused: float
    lanes: Mapping[str, Hit] = field(default_factory=dict)
    forced: bool = False
    similarity: float | None = None
    term_share: float = 0.0
    rerank_score: float | None = None
    answerability: float | None = None

    @property
    def at_address(self) -> bool:
        return "address" in self.lanes


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates in fused order, and how many hits each lane gave."""

    candidates: tuple[Candidate, ...]
    lane_counts: Mapping[str, int]


def fuse(hits: Iterable[Hit], limits: PoolLimits) -> list[Found]:
    """Merge hits by chunk, order by reciprocal rank fusion, cap the pool; forced hits are never cut.

    An address hit is always forced; lexical hits are forced down to rank `limits.forced`.
    """
    by_chunk: dict[UUID, list[Hit]] = {}
    for hit in hits:
        by_chunk.setdefault(hit.chunk_id, []).append(hit)
    found = [_merged(chunk_id, group, limits) for chunk_id, group in by_chunk.items()]
    found.sort(key=lambda one: (-one.fused, str(one.chunk_id)))
    return [one for rank, one in enumerate(found) if rank < limits.cap or one.forced]


def _merged(chunk_id: UUID, hits: list[Hit], limits: PoolLimits) -> Found:
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.lane not in best or hit.rank < best[hit.lane].rank:
            best[hit.lane] = hit
    forced = any(
        hit.lane == "address" or (hit.lane == "lexical" and hit.rank <= limits.forced) for hit in best.values()
    )
    fused = sum(1 / (RRF_K + hit.rank) for hit in hits)
    return Found(chunk_id=chunk_id, fused=fused, lanes=best, forced=forced)
