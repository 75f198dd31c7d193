"""The pool: what the lanes found, merged by reciprocal rank fusion."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from corpus.domain.passage import Passage, Span
from curation.domain.acceptance import CuratedMatch

# Cormack, Clarke and Buettcher (2009) found 60 robust; seed 003 uses the same.
RRF_K = 60
SWEEPING = frozenset({"dense", "lexical"})  # the lanes that look through everything; lexical looks by spelling, too
LANES = SWEEPING | {"address", "curated"}


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many candidates a mode keeps, and how many hits the lexical lane may force past every cut."""

    cap: int = 60
    forced: int = 10


@dataclass(frozen=True, slots=True)
class Pooling:
    """How hits become a pool: the lanes that look, and what a chunk's ranks are worth together.

    worth: of the reciprocal ranks at which a chunk was found. Their sum is reciprocal rank fusion; the largest of them
    goes by the best rank alone.
    """

    lanes: frozenset[str] = LANES
    worth: Callable[[Iterable[float]], float] = sum


POOLING = Pooling()


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
    weighed by its rarity, 0..1. relevance and answerability: the cross-encoder's, None where it did not read the
    passage; answer_span: the characters that answer, as it sees it. rerank_score: what orders the pool, 0..1.
    """

    passage: Passage
    fused: float
    lanes: Mapping[str, Hit] = field(default_factory=dict)
    forced: bool = False
    similarity: float | None = None
    term_share: float = 0.0
    relevance: float | None = None
    answerability: float | None = None
    answer_span: Span | None = None
    rerank_score: float | None = None

    @property
    def at_address(self) -> bool:
        return "address" in self.lanes

    @property
    def is_curated(self) -> bool:
        return "curated" in self.lanes


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates in fused order, how many hits each lane gave, and the curated entries that take part."""

    candidates: tuple[Candidate, ...]
    lane_counts: Mapping[str, int]
    curated: tuple[CuratedMatch, ...] = ()

    @property
    def background(self) -> tuple[str, ...]:
        """Return the bodies of the memory notes that take part."""
        return tuple(match.entry.body for match in self.curated if match.entry.kind == "note" and match.entry.body)

    def joined(self, more: "Pool") -> "Pool":
        """Return this pool with the candidates of `more` that it lacks after its own, and the lanes' counts added."""
        known = {one.passage.chunk_id for one in self.candidates}
        new = tuple(one for one in more.candidates if one.passage.chunk_id not in known)
        lanes = {*self.lane_counts, *more.lane_counts}
        counts = {lane: self.lane_counts.get(lane, 0) + more.lane_counts.get(lane, 0) for lane in lanes}
        return Pool(self.candidates + new, counts, self.curated or more.curated)


def fuse(hits: Iterable[Hit], limits: PoolLimits, pooling: Pooling = POOLING) -> list[Found]:
    """Merge hits by chunk, order by what their ranks are worth, cap the pool; forced hits are never cut.

    Address and curated hits are always forced; lexical hits are forced down to rank `limits.forced`.
    """
    by_chunk: dict[UUID, list[Hit]] = {}
    for hit in hits:
        by_chunk.setdefault(hit.chunk_id, []).append(hit)
    found = [_merged(chunk_id, group, limits, pooling) for chunk_id, group in by_chunk.items()]
    found.sort(key=lambda one: (-one.fused, str(one.chunk_id)))
    return [one for rank, one in enumerate(found) if rank < limits.cap or one.forced]


def _merged(chunk_id: UUID, hits: list[Hit], limits: PoolLimits, pooling: Pooling) -> Found:
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.lane not in best or hit.rank < best[hit.lane].rank:
            best[hit.lane] = hit
    forced = "address" in best or "curated" in best or ("lexical" in best and best["lexical"].rank <= limits.forced)
    fused = pooling.worth(1 / (RRF_K + hit.rank) for hit in hits)
    return Found(chunk_id=chunk_id, fused=fused, lanes=best, forced=forced)
