"""Stage 2: four look-ups at once, each on its own thread, merged into one pool."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np
from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db import OperationalError
from django.db.models import Case, F, FloatField, Value, When

from chat.calibrations import calibration_of
from chat.domain.coverage import alternative_weight
from chat.domain.pool import POOLING, SWEEPING, Candidate, Found, Hit, Pool, Pooling, PoolLimits, fuse
from chat.domain.question import QueryPlan
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

Form = tuple[str, ...]  # lexemes that together say a word, or its synonym


async def retrieve(
    plan: QueryPlan, viewer: Viewer, limits: PoolLimits, space: EmbeddingSpace | None, pooling: Pooling = POOLING
) -> Pool:
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
            lanes = await every_lane(plan, viewer, space, searches, curated, pooling.lanes)
    except OperationalError:
        log.warning("A look-up failed; trying once more, on the primary.", exc_info=True)
        lanes = await every_lane(plan, viewer, space, searches, curated, pooling.lanes)
    counts: dict[str, int] = {}
    for hit in chain.from_iterable(lanes):
        counts[hit.lane] = counts.get(hit.lane, 0) + 1
    found = fuse(chain.from_iterable(lanes), limits, pooling)
    # From the primary: what was withdrawn a moment ago is left out here, however late the replica hears of it.
    return Pool(await in_thread(load_candidates, found, measures, space), counts, tuple(curated))


async def every_lane(
    plan: QueryPlan,
    viewer: Viewer,
    space: EmbeddingSpace | None,
    searches: Matrix,
    curated: Sequence[CuratedMatch],
    lanes: frozenset[str],
) -> Sequence[list[Hit]]:
    """Return each lane's hits; where an editor's entry answers by itself, nothing else is swept for."""
    looks = {
        "curated": partial(curated_lane, curated, viewer),
        "address": partial(address_lane, plan.address_keys, viewer),
        "dense": partial(dense_lane, searches, viewer, space),
        "lexical": partial(every_lexical, plan, viewer),
    }
    if any(match.skips_sweep for match in curated):
        lanes -= SWEEPING
    return await asyncio.gather(*(in_thread(look) for name, look in looks.items() if name in lanes))


def dense_lane(vectors: Matrix, viewer: Viewer, space: EmbeddingSpace | None) -> list[Hit]:
    """Return the chunks nearest to each wording, `value` the cosine similarity."""
    if space is None:
        return []
    return [
        Hit(chunk_id, "dense", rank, 1 - distance)
        for nearest in nearest_chunks(space, vectors, _scope(viewer), DENSE_HITS)
        for rank, (distance, chunk_id) in enumerate(nearest, 1)
    ]


def lexical_lane(
    words: Sequence[str], viewer: Viewer, alternatives: Mapping[str, Sequence[Sequence[str]]] = MappingProxyType({})
) -> list[Hit]:
    """Return the chunks that hold most of the question's words, rare words counting more; `value` is that share, 0..1.

    What means the same as a word stands in for it. A word that no chunk holds, nor any of its alternatives, is looked
    up by its spelling instead (lane "spelling", `value` its resemblance).
    """
    terms = term_statistics(words, alternatives)
    known = {word: forms for word in words if (forms := _forms(word, alternatives, terms))}
    hits = [hit for word in words if word not in known for hit in _spelling_hits(word, viewer)]
    every = [form for forms in known.values() for form in forms]
    searched = _selective(known, every, terms)
    if not searched:
        return hits
    share = sum((_worth(word, forms, terms) for word, forms in known.items()), start=_nothing())
    rows = (
        _visible(viewer)
        .filter(search_vector=_any_of(searched))
        .annotate(share=share, rank=SearchRank(F("search_vector"), _any_of(every), normalization=1))
        .order_by("-share", "-rank", "pk")
        .values_list("pk", "share")[:LEXICAL_HITS]
    )
    total = sum(terms.weight(word) for word in words)
    return hits + [Hit(chunk_id, "lexical", rank, found / total) for rank, (chunk_id, found) in enumerate(rows, 1)]


def every_lexical(plan: QueryPlan, viewer: Viewer) -> list[Hit]:
    """Return the lexical lane's hits for every wording; wordings of the same words are searched once."""
    searched = dict.fromkeys(wording.words for wording in plan.searches)
    return [hit for words in searched for hit in lexical_lane(words, viewer, plan.alternatives)]


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
    rows = _standing(viewer).at_address(keys).order_by("ordinal", "pk").values_list("pk", "address_keys")[:ADDRESS_HITS]
    asked = {key: place for place, key in enumerate(keys)}
    named = sorted(rows, key=lambda row: min(asked.get(key, len(asked)) for key in row[1]))
    return [Hit(chunk_id, "address", rank, 1.0) for rank, (chunk_id, _) in enumerate(named, 1)]


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


def _forms(word: str, alternatives: Mapping[str, Sequence[Sequence[str]]], terms: TermStatistics) -> list[Form]:
    """Return the word and what means it, each where the corpus holds it; the word itself first."""
    forms = [(word,), *map(tuple, alternatives.get(word, ()))]
    return [form for form in forms if all(lexeme in terms.chunks for lexeme in form)]


def _worth(word: str, forms: Sequence[Form], terms: TermStatistics) -> Any:
    """Return the weight a chunk earns for the best form of the word that it holds."""
    worths = sorted(((alternative_weight(word, form, terms.weight), form) for form in forms), reverse=True)
    cases = (When(search_vector=_all_of(form), then=Value(worth)) for worth, form in worths)
    return Case(*cases, default=0.0, output_field=FloatField())


def _nothing() -> Any:
    return Value(0.0, output_field=FloatField())


def _selective(words: Iterable[str], forms: Sequence[Form], terms: TermStatistics) -> list[Form]:
    """Return the forms rare enough to search by, and the rarest of the question's own words where all are common."""

    def fewest(form: Form) -> int:
        return min(terms.chunks[lexeme] for lexeme in form)

    rare = [form for form in forms if fewest(form) <= COMMON_WORD_CHUNKS]
    own = sorted(((word,) for word in words if word in terms.chunks), key=fewest)
    return rare if not own or own[0] in rare else [*rare, own[0]]


def _any_of(forms: Sequence[Form]) -> SearchQuery:
    alternatives = (" & ".join(map(_quoted, form)) for form in forms)
    return SearchQuery(" | ".join(f"({one})" for one in alternatives), search_type="raw", config="simple")


def _all_of(form: Form) -> Any:
    return _any_of([form])


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "").replace("'", "''") + "'"
