"""Stage 2: runs the lanes concurrently, each on its own thread, and merges their hits into one pool."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from uuid import UUID

from chat.answering.calibrations import calibration_of
from chat.answering.domain.evidence.coverage import Calibration
from chat.answering.domain.evidence.near_copies import closed_up
from chat.answering.domain.evidence.pool import (
    NEIGHBOURHOOD,
    POOLING,
    SWEEPING,
    Candidate,
    FusedHit,
    Hit,
    Pool,
    Pooling,
    PoolLimits,
    fuse,
)
from chat.answering.domain.evidence.selection import on_scale
from chat.answering.domain.messages import translated_by_machine
from chat.answering.domain.question import QueryPlan, ThreadPlace
from chat.answering.domain.viewer import Viewer
from chat.answering.lexical import lexical_lane
from chat.answering.passages.copies import without_copied_passages
from chat.answering.passages.recalled import found_place
from corpus.domain.local_text import LocalText
from corpus.indexing.nearest import Neighbour, chunk_vectors, nearest_chunks, nearest_sentences
from corpus.models import EmbeddingSpace, SentenceVector
from corpus.selectors import passages, space_embedder, standing_at
from corpus.surroundings import chunks_around
from curation.domain.acceptance import CuratedMatch
from curation.lookup import curated_matches
from curation.matching.likeness import MatchedQuestion
from curation.models import Translation
from curation.translations.selectors import local_text
from lectorium.providers.protocols import Matrix
from lectorium.replicas import look_up
from lectorium.threads import at_once, in_thread

DENSE_HITS = 60
SENTENCE_HITS = 60
REFILLS = 3  # how often places that copies took are filled again
PARTIAL = frozenset({"part", "keywords", "tale"})  # wordings that may leave out part of the question, such as its "not"
ADDRESS_HITS = 40


async def retrieve_candidates(
    plan: QueryPlan,
    viewer: Viewer,
    limits: PoolLimits,
    space: EmbeddingSpace | None,
    pooling: Pooling = POOLING,
    calibration: Calibration | None = None,
) -> Pool:
    """The pool for a plan, from the collections that the viewer may see.

    space: the embedding space to search and measure in; None, before the first index run, skips the vector lanes.
    calibration: in place of the space's own.
    """
    if not viewer.collections:
        return Pool((), {})
    # One embedding batch. The question's own wordings measure every candidate, even those found by refined wordings.
    own = [wording.text for wording in plan.wordings]
    refined = [wording.text for wording in plan.refined]
    vectors = await in_thread(space_embedder(space).embed_questions, own + refined)
    measures, searches = vectors[: len(own)], vectors[len(own) :] if refined else vectors
    if calibration is None:
        calibration = await in_thread(calibration_of, space)
    async with at_once() as group:
        curated = group.create_task(in_thread(matches_of, plan, measures, viewer, space))
        searched = group.create_task(corpus_hits(plan, viewer, space, searches, pooling))
    matches = curated.result()
    found_in_corpus, replica_trouble = searched.result()
    lanes = {"curated": curated_lane(matches), **found_in_corpus}
    # If a curated entry replaces the search, the hits of the searching lanes are discarded.
    looked = pooling.lanes - (SWEEPING if any(match.skips_sweep for match in matches) else frozenset())
    hits = [hit for name, found in lanes.items() if name in looked for hit in found]
    scale = calibration.passage if pooling.once else None
    pool = Pool(
        (), dict(Counter(hit.lane for hit in hits)), tuple(matches), scale=scale, replica_trouble=replica_trouble
    )
    for _ in range(REFILLS):
        counted = closed_up(hits, {copy.chunk_id for copy in pool.copies}) if pool.copies else hits
        fused, capped = fuse(counted, limits, pooling)
        # From the primary database, so that a delayed replica cannot bring back a withdrawn passage.
        candidates = await in_thread(load_candidates, fused, measures, space, plan.sought_at)
        scaled = on_scale(candidates, () if plan.unread or not pooling.mapped else calibration.passage)
        pool = replace(pool, candidates=scaled, capped=tuple(capped))
        pool = await in_thread(without_copied_passages, pool, scaled, plan.asked)
        if len(pool.candidates) == len(scaled) or not capped:
            break
    return pool


async def corpus_hits(
    plan: QueryPlan, viewer: Viewer, space: EmbeddingSpace | None, searches: Matrix, pooling: Pooling
) -> tuple[dict[str, list[Hit]], str]:
    """The hits of each lane that searches the corpus, and why the replica did not serve, or "" (see `look_up`)."""
    words = [wording.words for wording in plan.searches]
    all_lookups = {
        "address": partial(address_lane, plan.address_keys or plan.close_keys, viewer),
        "dense": partial(dense_lane, searches, viewer, space),
        "sentence": partial(sentence_lane, searches, viewer, space),
        "lexical": partial(lexical_lane, words, viewer, plan.alternatives, pooling.labels),
        NEIGHBOURHOOD: partial(neighbourhood_lane, plan.place, viewer, space),
    }
    lookups = {name: lookup for name, lookup in all_lookups.items() if name in pooling.lanes}
    return await look_up(partial(_run_all, lookups))


async def _run_all(lookups: Mapping[str, Callable[[], list[Hit]]]) -> dict[str, list[Hit]]:
    async with at_once() as group:
        tasks = {name: group.create_task(in_thread(lookup)) for name, lookup in lookups.items()}
    return {name: task.result() for name, task in tasks.items()}


def dense_lane(vectors: Matrix, viewer: Viewer, space: EmbeddingSpace | None) -> list[Hit]:
    """The chunks nearest to each wording; `value` is the cosine similarity."""
    if space is None:
        return []
    return _hits("dense", nearest_chunks(space, vectors, viewer.scope, DENSE_HITS))


def sentence_lane(vectors: Matrix, viewer: Viewer, space: EmbeddingSpace | None) -> list[Hit]:
    """The chunks with the sentences nearest to each wording; `value` is the sentence's cosine similarity."""
    if space is None:
        return []
    return _hits("sentence", nearest_sentences(space, vectors, viewer.scope, SENTENCE_HITS))


def _hits(lane: str, found: Sequence[Sequence[Neighbour]]) -> list[Hit]:
    """The hits of a vector lane. found: the neighbours of each wording."""
    return [
        Hit(chunk_id, lane, rank, 1 - distance, place)
        for place, nearest in enumerate(found)
        for rank, (distance, chunk_id) in enumerate(nearest, 1)
    ]


def matches_of(plan: QueryPlan, vectors: Matrix, viewer: Viewer, space: EmbeddingSpace | None) -> list[CuratedMatch]:
    """The curated entries accepted for the plan's own wordings.

    A wording that omits part of the question can match notes but never a pin, which would replace the search for the
    rest.
    """
    question = MatchedQuestion(
        wordings=[wording.text for wording in plan.wordings],
        vectors=vectors,
        whole=[wording.kind not in PARTIAL for wording in plan.wordings],
        language=plan.language,
    )
    return [_in_words_of_reader(match, plan) for match in curated_matches(question, space=space, scope=viewer.scope)]


def _in_words_of_reader(match: CuratedMatch, plan: QueryPlan) -> CuratedMatch:
    """The match with its framing, or a note's text, in the reader's language, where that translation may be shown.

    A note's text guides the model that writes. A machine's translation adds nothing to that, so only a reviewed one
    takes its place.
    """
    entry, is_note = match.entry, match.entry.kind == "note"
    source = LocalText(entry.body if is_note else entry.framing, entry.language)
    part = Translation.Part.NOTE_BODY if is_note else Translation.Part.FRAMING
    found = local_text(entry.id, part, source, plan.reader_language)
    if found == source or (is_note and found.is_machine):
        return match
    if is_note:
        return replace(match, entry=replace(entry, body=found.text))
    framing = translated_by_machine(found.text, found.language) if found.is_machine else found.text
    return replace(match, entry=replace(entry, framing=framing))


def curated_lane(matches: Sequence[CuratedMatch]) -> list[Hit]:
    """The chunks that accepted entries cite, in the order of the entries; `value` is the entry's score."""
    cited = [(chunk_id, match.score) for match in matches for chunk_id in match.chunks]
    return [Hit(chunk_id, "curated", rank, score) for rank, (chunk_id, score) in enumerate(cited, 1)]


def address_lane(keys: Sequence[str], viewer: Viewer) -> list[Hit]:
    """The chunks at the addresses, in the order named; `value` is 1."""
    if not keys:
        return []
    rows = standing_at(keys, viewer.scope, ADDRESS_HITS)
    asked = {key: place for place, key in enumerate(keys)}
    named = sorted(rows, key=lambda row: min(asked.get(key, len(asked)) for key in row[1]))
    return [Hit(chunk_id, "address", rank, 1.0) for rank, (chunk_id, _) in enumerate(named, 1)]


def neighbourhood_lane(place: ThreadPlace | None, viewer: Viewer, space: EmbeddingSpace | None) -> list[Hit]:
    """Return the chunks of the thread's last citations, and those right after and before each; `value` is 1."""
    if place is None:
        return []
    cited = found_place(place, viewer, space).cited
    around = chunks_around([quote.chunk_id for quote in cited], viewer.scope)
    return [Hit(chunk_id, NEIGHBOURHOOD, rank, 1.0) for rank, chunk_id in enumerate(around, 1)]


def load_candidates(
    found: Sequence[FusedHit], vectors: Matrix, space: EmbeddingSpace | None, sought: int
) -> tuple[Candidate, ...]:
    """The texts of the chunks, with the similarity of each chunk and of its sentences, whichever lane found it.

    vectors: of the question's wordings. A chunk's similarity is its best cosine with any of them, a sentence's is its
    cosine with that of `plan.sought`, at this place among them.
    """
    ids = [hit.chunk_id for hit in found]
    texts = {passage.chunk_id: passage for passage in passages(ids)}
    stored = dict(chunk_vectors(space, ids)) if space else {}
    similarity = {chunk_id: float((vectors @ vector).max()) for chunk_id, vector in stored.items()}
    by_sentence = _sentence_similarities(ids, vectors[sought : sought + 1], space)
    return tuple(
        Candidate(
            texts[hit.chunk_id],
            hit.fused,
            hit.lanes,
            hit.forced,
            similarity.get(hit.chunk_id),
            sentence_similarities=tuple(by_sentence.get(hit.chunk_id, ())),
            vector=stored[hit.chunk_id].tolist() if hit.chunk_id in stored else (),
        )
        for hit in found
        if hit.chunk_id in texts
    )


def _sentence_similarities(
    ids: Sequence[UUID], vectors: Matrix, space: EmbeddingSpace | None
) -> dict[UUID, list[float]]:
    """Cosines by sentence for each chunk, computed in the database: the vectors would be a megabyte of text."""
    found: dict[UUID, list[float]] = {}
    if space is None or not len(vectors):
        return found
    stored = SentenceVector.objects.filter(chunk_id__in=ids).nearest(space, vectors[0]).order_by("position")
    for chunk_id, distance in stored.values_list("chunk_id", "distance"):
        found.setdefault(chunk_id, []).append(1 - float(distance))
    return found
