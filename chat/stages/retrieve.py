"""Stage 2: four look-ups at once, each on its own thread, merged into one pool."""

import asyncio
import logging
from collections.abc import Sequence
from itertools import chain
from typing import Any
from uuid import UUID

import numpy as np
from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db import OperationalError
from django.db.models import Case, F, FloatField, Value, When

from chat.calibrations import calibration_of
from chat.domain.pool import Candidate, Found, Hit, Pool, PoolLimits, fuse
from chat.domain.question import QueryPlan, Wording
from chat.domain.viewer import Viewer
from corpus.domain.address import address_key
from corpus.domain.scope import Scope
from corpus.models import Chunk, ChunkVector, EmbeddingSpace
from corpus.nearest import nearest_chunks
from corpus.querysets import ChunkQuerySet
from corpus.selectors import passages, space_embedder
from corpus.terms import TermStatistics, term_statistics
from curation.domain.acceptance import CuratedMatch
from curation.lookup import curated_matches
from lectorium.providers.protocols import Matrix
from lectorium.providers.registry import reader
from lectorium.replicas import replica_reads
from lectorium.threads import in_thread

log = logging.getLogger(__name__)
DENSE_HITS = 60
LEXICAL_HITS = 60
# A word in more chunks than this finds too many to rank; it still counts in the score of chunks found by rarer words.
COMMON_WORD_CHUNKS = 4000
SPELLING_HITS = 10
ADDRESS_HITS = 40


async def retrieve(plan: QueryPlan, viewer: Viewer, limits: PoolLimits, space: EmbeddingSpace | None) -> Pool:
    """Return the pool for a plan, from the collections the viewer may see. The lanes run concurrently.

    `space` is the only one that is searched and measured in; None, before the first index run, leaves out meaning.
    """
    if not viewer.collections:
        return Pool((), {})
    # One batch a look: the question's own wordings measure every candidate, also those that refined ones find.
    own = [wording.text for wording in plan.wordings]
    refined = [wording.text for wording in plan.refined]
    vectors = await in_thread(space_embedder(space).embed_questions, own + refined)
    measures, searches = vectors[: len(own)], vectors[len(own) :] if refined else vectors
    curated = await in_thread(matches_of, plan, measures, space)
    try:
        with replica_reads():
            lanes = await every_lane(plan, viewer, space, searches, curated)
    except OperationalError:
        log.warning("A look-up failed; trying once more, on the primary.", exc_info=True)
        lanes = await every_lane(plan, viewer, space, searches, curated)
    counts: dict[str, int] = {}
    for hit in chain.from_iterable(lanes):
        counts[hit.lane] = counts.get(hit.lane, 0) + 1
    found = fuse(chain.from_iterable(lanes), limits)
    # From the primary: what was withdrawn a moment ago is left out here, however late the replica hears of it.
    return Pool(await in_thread(load_candidates, found, measures, space), counts, tuple(curated))


async def every_lane(
    plan: QueryPlan,
    viewer: Viewer,
    space: EmbeddingSpace | None,
    searches: Matrix,
    curated: Sequence[CuratedMatch],
) -> Sequence[list[Hit]]:
    """Return each lane's hits; where an editor's entry answers by itself, nothing else is swept for."""
    swept = (
        []
        if any(match.skips_sweep for match in curated)
        else [in_thread(dense_lane, searches, viewer, space), in_thread(every_lexical, plan.searches, viewer)]
    )
    return await asyncio.gather(
        in_thread(curated_lane, curated, viewer), in_thread(address_lane, plan.address_keys, viewer), *swept
    )


def dense_lane(vectors: Matrix, viewer: Viewer, space: EmbeddingSpace | None) -> list[Hit]:
    """Return the chunks nearest to each wording, `value` the cosine similarity."""
    if space is None:
        return []
    return [
        Hit(chunk_id, "dense", rank, 1 - distance)
        for nearest in nearest_chunks(space, vectors, _scope(viewer), DENSE_HITS)
        for rank, (distance, chunk_id) in enumerate(nearest, 1)
    ]


def lexical_lane(words: Sequence[str], viewer: Viewer) -> list[Hit]:
    """Return the chunks that hold most of the question's words, rare words counting more; `value` is that share, 0..1.

    A word that no chunk holds is looked up by its spelling instead (lane "spelling", `value` its resemblance).
    """
    terms = term_statistics(words)
    known = [word for word in words if word in terms.chunks]
    hits = [hit for word in words if word not in known for hit in _spelling_hits(word, viewer)]
    searched = _selective(known, terms)
    if not searched:
        return hits
    share = sum(
        (
            Case(
                When(search_vector=_term(word), then=Value(terms.weight(word))), default=0.0, output_field=FloatField()
            )
            for word in known
        ),
        start=Value(0.0, output_field=FloatField()),
    )
    rows = (
        _visible(viewer)
        .filter(search_vector=_any_of(searched))
        .annotate(share=share, rank=SearchRank(F("search_vector"), _any_of(known), normalization=1))
        .order_by("-share", "-rank", "pk")
        .values_list("pk", "share")[:LEXICAL_HITS]
    )
    total = sum(terms.weight(word) for word in words)
    return hits + [Hit(chunk_id, "lexical", rank, found / total) for rank, (chunk_id, found) in enumerate(rows, 1)]


def every_lexical(wordings: Sequence[Wording], viewer: Viewer) -> list[Hit]:
    """Return the lexical lane's hits for every wording; wordings of the same words are searched once."""
    searched = dict.fromkeys(wording.words for wording in wordings)
    return [hit for words in searched for hit in lexical_lane(words, viewer)]


def matches_of(plan: QueryPlan, vectors: Matrix, space: EmbeddingSpace | None) -> list[CuratedMatch]:
    """Return the curated entries accepted for the plan's own wordings; border cases are put to the cross-encoder."""
    return curated_matches(
        [wording.text for wording in plan.wordings],
        vectors,
        language=plan.language,
        embedder=space_embedder(space),
        scale=calibration_of(space).phrasing,
        judge=reader(),
    )


def curated_lane(matches: Sequence[CuratedMatch], viewer: Viewer) -> list[Hit]:
    """Return the chunks that accepted entries refer to, in the entries' order; `value` is the entry's similarity."""
    hits: list[Hit] = []
    for match in matches:
        if match.cites and match.entry.references:
            keys = [address_key(reference) for reference in match.entry.references]
            rows = _standing(viewer).at_address(keys).order_by("ordinal", "pk").values_list("pk", flat=True)
            hits += [Hit(pk, "curated", len(hits) + n, match.similarity) for n, pk in enumerate(rows[:ADDRESS_HITS], 1)]
    return hits


def address_lane(keys: Sequence[str], viewer: Viewer) -> list[Hit]:
    """Return the chunks at the addresses named, in the order named; `value` is 1."""
    if not keys:
        return []
    rows = _standing(viewer).at_address(keys).order_by("ordinal", "pk").values_list("pk", flat=True)[:ADDRESS_HITS]
    return [Hit(chunk_id, "address", rank, 1.0) for rank, chunk_id in enumerate(rows, 1)]


def load_candidates(found: Sequence[Found], vectors: Matrix, space: EmbeddingSpace | None) -> tuple[Candidate, ...]:
    """Fetch the found chunks' texts, and each one's best cosine with the wordings, whichever lane found it."""
    ids = [one.chunk_id for one in found]
    texts = {passage.chunk_id: passage for passage in passages(ids)}
    similarity = _similarities(ids, vectors, space)
    return tuple(
        Candidate(texts[one.chunk_id], one.fused, one.lanes, one.forced, similarity.get(one.chunk_id))
        for one in found
        if one.chunk_id in texts
    )


def _similarities(ids: Sequence[UUID], vectors: Matrix, space: EmbeddingSpace | None) -> dict[UUID, float]:
    if space is None:
        return {}
    stored = ChunkVector.objects.filter(space=space, chunk_id__in=ids).values_list("chunk_id", "embedding")
    return {
        chunk_id: float((vectors @ np.asarray(embedding, dtype=np.float32)).max()) for chunk_id, embedding in stored
    }


def _visible(viewer: Viewer) -> ChunkQuerySet:
    return Chunk.objects.within(_scope(viewer))


def _standing(viewer: Viewer) -> ChunkQuerySet:
    """Return what may be asked for by its address: a duplicate stands at one of its own."""
    return Chunk.objects.within(_scope(viewer), duplicates=True)


def _scope(viewer: Viewer) -> Scope:
    return Scope(collections=None if viewer.sees_all else viewer.collections)


def _spelling_hits(word: str, viewer: Viewer) -> list[Hit]:
    found: Any = _visible(viewer).resembling(word).values_list("pk", "resemblance")  # type: ignore[misc]  # annotated
    return [Hit(chunk_id, "spelling", rank, value) for rank, (chunk_id, value) in enumerate(found[:SPELLING_HITS], 1)]


def _selective(words: Sequence[str], terms: TermStatistics) -> list[str]:
    """Return the words rare enough to search by; the rarest alone where all are common."""
    rare = [word for word in words if terms.chunks[word] <= COMMON_WORD_CHUNKS]
    return rare or sorted(words, key=terms.weight)[-1:]


def _any_of(words: Sequence[str]) -> SearchQuery:
    return SearchQuery(" | ".join(_quoted(word) for word in words), search_type="raw", config="simple")


def _term(word: str) -> Any:
    return SearchQuery(_quoted(word), search_type="raw", config="simple")


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "").replace("'", "''") + "'"
