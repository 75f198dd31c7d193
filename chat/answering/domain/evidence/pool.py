"""The pool: what the lanes found, merged by reciprocal rank fusion."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from uuid import UUID

from corpus.domain.passage import Passage, Span
from curation.domain.acceptance import CuratedMatch

# Cormack, Clarke and Buettcher (2009) found 60 robust; seed 003 uses the same.
RRF_K = 60
# The lanes that look through everything: dense by whole chunks, sentence by each, lexical by words and their spelling.
SWEEPING = frozenset({"dense", "sentence", "lexical"})
WORDS = frozenset({"lexical", "spelling"})  # what the lexical lane's hits say of how they were found
NEIGHBOURHOOD = "neighbourhood"  # passages around the last citation of the conversation
NAMED = frozenset({"address", "curated", NEIGHBOURHOOD})  # the lanes that look up a place; their hits are always forced
LANES = SWEEPING | NAMED


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many candidates a mode keeps, and how many chunks the lexical lane may force past every cut.

    forced: by one wording, by its words and their spelling together. forced_a_turn: by all of them, in every look.
    """

    cap: int = 60
    forced: int = 10
    forced_a_turn: int = 30


@dataclass(frozen=True, slots=True)
class Pooling:
    """How hits become a pool: the lanes that look, and what a chunk's ranks are worth together.

    worth: of the reciprocal ranks at which a chunk was found. Their sum is reciprocal rank fusion; the largest of them
    goes by the best rank alone. labels: where words are looked for, of the search vector's A title, B address, C text
    and D context; "" everywhere. mapped: whether cosines are put on the reference scale by which candidates are cut.
    once: whether near-copies of one upload count once.
    """

    lanes: frozenset[str] = LANES
    worth: Callable[[Iterable[float]], float] = sum
    labels: str = ""
    mapped: bool = True
    once: bool = True


POOLING = Pooling()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found by one lane: its rank there, from 1, and the lane's own value (its scale differs by lane).

    wording: the place among those searched of the one that found it.
    """

    chunk_id: UUID
    lane: str
    rank: int
    value: float
    wording: int = 0


@dataclass(frozen=True, slots=True)
class FusedHit:
    """A chunk with every lane that found it, before its text is fetched."""

    chunk_id: UUID
    fused: float
    lanes: Mapping[str, Hit]
    forced: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A found passage.

    similarity: best cosine with the question's wordings. reference_similarity: the same on the reference scale, 0..1;
    None where its space has no map to it. sentence_similarities: cosine of each of its sentences, in their order, with
    the standalone question; empty where its space holds no vectors of them. statement_similarity: the best of them
    that is no question, None before that is known. term_share: share of the question's words
    it holds, each weighed by its rarity, 0..1. relevance and answerability: the cross-encoder's, None where it did not
    read the passage; answer_span: the characters that answer, as it sees it. rerank_score: what orders the pool, 0..1.
    vector: of the passage in the space it was found in; empty where there is none.
    """

    passage: Passage
    fused: float
    lanes: Mapping[str, Hit] = field(default_factory=dict)
    forced: bool = False
    similarity: float | None = None
    reference_similarity: float | None = None
    sentence_similarities: tuple[float, ...] = ()
    statement_similarity: float | None = None
    term_share: float = 0.0
    relevance: float | None = None
    answerability: float | None = None
    answer_span: Span | None = None
    rerank_score: float | None = None
    vector: Sequence[float] = field(default=(), compare=False, repr=False)

    @property
    def at_address(self) -> bool:
        return "address" in self.lanes

    @property
    def is_curated(self) -> bool:
        return "curated" in self.lanes

    @property
    def is_bridge(self) -> bool:
        """Was it looked up because a passage names its source?"""
        return "bridge" in self.lanes

    @property
    def is_near_thread(self) -> bool:
        """Whether it stands around the conversation's last citation."""
        return NEIGHBOURHOOD in self.lanes

    @property
    def is_forced_by_words(self) -> bool:
        return self.forced and NAMED.isdisjoint(self.lanes)

    def answers_within(self, span: Span) -> float:
        """Return the answerability where the middle of the words that answer stands in this span, else 0."""
        if self.answer_span is None or self.answerability is None:
            return 0.0
        return self.answerability if span[0] <= sum(self.answer_span) / 2 < span[1] else 0.0


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates in fused order, how many hits each lane gave, and the curated entries that take part.

    capped: what was found, and cut by the cap. copies: what says nearly the same as a passage of the same upload.
    scale: map of raw cosines to the reference scale, () where its space has none; None: copies are not looked for.
    replica_trouble: why the primary searched in place of the replica.
    """

    candidates: tuple[Candidate, ...]
    lane_counts: Mapping[str, int]
    curated: tuple[CuratedMatch, ...] = ()
    capped: tuple[FusedHit, ...] = ()
    copies: tuple[FusedHit, ...] = ()
    scale: tuple[tuple[float, float], ...] | None = None
    replica_trouble: str = ""

    @property
    def background(self) -> tuple[str, ...]:
        """Return the bodies of the memory notes that take part."""
        return tuple(match.entry.body for match in self.curated if match.entry.kind == "note" and match.entry.body)

    @property
    def chunk_ids(self) -> frozenset[UUID]:
        return frozenset(candidate.passage.chunk_id for candidate in self.candidates)

    @property
    def nearest_cosine(self) -> float:
        """The greatest cosine of a candidate's sentence with the question; 0 without sentences."""
        return max(chain.from_iterable(candidate.sentence_similarities for candidate in self.candidates), default=0.0)

    def without_copies(self, ids: Collection[UUID]) -> "Pool":
        """Return this pool with these candidates among the copies."""
        if not ids:
            return self
        gone = tuple(_hit_of(candidate) for candidate in self.candidates if candidate.passage.chunk_id in ids)
        rest = tuple(candidate for candidate in self.candidates if candidate.passage.chunk_id not in ids)
        return replace(self, candidates=rest, copies=(*self.copies, *gone))

    def joined(self, more: "Pool", limits: PoolLimits) -> "Pool":
        """Return this pool with what `more`, a further look, found beside it, and the lanes' counts added.

        The caps are a turn's, not a look's. What was read stays; of the rest that stays which stood first in its look,
        and forced hits always, but what words alone force in the further look only as far as the turn's number lasts.
        """
        left = limits.forced_a_turn - sum(candidate.is_forced_by_words for candidate in self.candidates)
        known, new = self.chunk_ids | {hit.chunk_id for hit in self.copies}, []
        for candidate in more.candidates:
            if candidate.passage.chunk_id in known:
                continue
            by_words = candidate.is_forced_by_words
            new.append(replace(candidate, forced=left > 0) if by_words else candidate)
            left -= by_words
        first = sorted(
            [*enumerate(self.candidates), *enumerate(new)], key=lambda entry: (entry[1].relevance is None, entry[0])
        )
        kept = {hit.passage.chunk_id for rank, (_, hit) in enumerate(first) if rank < limits.cap or hit.forced}
        lanes = {*self.lane_counts, *more.lane_counts}
        counts = {lane: self.lane_counts.get(lane, 0) + more.lane_counts.get(lane, 0) for lane in lanes}
        both = [*self.candidates, *new]
        copies = {hit.chunk_id: hit for hit in (*self.copies, *more.copies) if hit.chunk_id not in kept}
        found = (*self.capped, *more.capped, *map(_hit_of, both))
        capped = {hit.chunk_id: hit for hit in found if hit.chunk_id not in kept | copies.keys()}
        candidates = tuple(candidate for candidate in both if candidate.passage.chunk_id in kept)
        return Pool(
            candidates,
            counts,
            self.curated or more.curated,
            tuple(capped.values()),
            tuple(copies.values()),
            more.scale if self.scale is None else self.scale,
            self.replica_trouble or more.replica_trouble,
        )


def fuse(hits: Iterable[Hit], limits: PoolLimits, pooling: Pooling = POOLING) -> tuple[list[FusedHit], list[FusedHit]]:
    """Merge hits by chunk, order by what their ranks are worth; return what is kept, and what the cap cuts.

    Forced hits are never cut. Address and curated hits are always forced; of what words or their spelling found, as
    much as `limits` lets.
    """
    by_chunk: dict[UUID, list[Hit]] = {}
    for hit in hits:
        by_chunk.setdefault(hit.chunk_id, []).append(hit)
    by_words = _forced_by_words(chain.from_iterable(by_chunk.values()), limits)
    found = [_merged(chunk_id, group, chunk_id in by_words, pooling) for chunk_id, group in by_chunk.items()]
    found.sort(key=lambda hit: (-hit.fused, str(hit.chunk_id)))
    first, rest = found[: limits.cap], found[limits.cap :]
    return first + [hit for hit in rest if hit.forced], [hit for hit in rest if not hit.forced]


def _hit_of(candidate: Candidate) -> FusedHit:
    return FusedHit(candidate.passage.chunk_id, candidate.fused, candidate.lanes, candidate.forced)


def _forced_by_words(hits: Iterable[Hit], limits: PoolLimits) -> set[UUID]:
    """Return the chunks that the lexical lane forces: each wording its best ones, and the best of these a turn."""
    by_wording: dict[int, set[UUID]] = {}
    forced: set[UUID] = set()
    early = [hit for hit in hits if hit.lane in WORDS and hit.rank <= limits.forced]
    for hit in sorted(early, key=lambda hit: (hit.rank, hit.wording, hit.lane, str(hit.chunk_id))):
        own = by_wording.setdefault(hit.wording, set())
        if len(own | {hit.chunk_id}) <= limits.forced and len(forced | {hit.chunk_id}) <= limits.forced_a_turn:
            own.add(hit.chunk_id)
            forced.add(hit.chunk_id)
    return forced


def _merged(chunk_id: UUID, hits: list[Hit], by_words: bool, pooling: Pooling) -> FusedHit:
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.lane not in best or hit.rank < best[hit.lane].rank:
            best[hit.lane] = hit
    fused = pooling.worth(1 / (RRF_K + hit.rank) for hit in hits)
    return FusedHit(chunk_id, fused, best, forced=by_words or not best.keys().isdisjoint(NAMED))
