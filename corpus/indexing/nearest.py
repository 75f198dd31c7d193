"""Nearest chunks and sentences within a scope: exactly where there are few, by the space's index where many."""

import json
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import connections, router, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import QuerySet, Value

from corpus.domain.nearness import NearnessRules, looked_at
from corpus.domain.scope import Scope
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, SentenceVector
from lectorium.providers.protocols import Matrix

RULES = NearnessRules()
_SCANNING = "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'relaxed_order', true)"

Neighbour = tuple[float, UUID]  # cosine distance, 0..2, and chunk id
Row = tuple[int, float, UUID]  # which vector, and its neighbour
VectorModel = ChunkVector | SentenceVector


def nearest_chunks(space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int) -> list[list[Neighbour]]:
    """Return for each vector the `limit` nearest chunks in the scope, closest first, with exact distances.

    All vectors are searched with in one statement.
    """
    return _nearest(ChunkVector, space, vectors, scope, limit)


def nearest_sentences(space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int) -> list[list[Neighbour]]:
    """Return for each vector up to `limit` chunks in the scope by their nearest sentence, closest first.

    Of the sentences looked at, each chunk's nearest counts. There are fewer chunks where some hold many of them.
    """
    found = _nearest(SentenceVector, space, vectors, scope, RULES.sentences * limit)
    return [_best_of_each(neighbours)[:limit] for neighbours in found]


def _best_of_each(neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """Return the first neighbour of each chunk, in order."""
    best: dict[UUID, float] = {}
    for distance, chunk_id in neighbours:
        best.setdefault(chunk_id, distance)
    return [(distance, chunk_id) for chunk_id, distance in best.items()]


def _nearest(
    model: type[VectorModel], space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int
) -> list[list[Neighbour]]:
    found: list[list[Neighbour]] = [[] for _ in vectors]
    if not found:
        return found
    alias = router.db_for_read(model)
    within = model.objects.using(alias).filter(space_id=space.pk).within(scope)
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        if _estimated_rows(model, space, scope, alias) < RULES.exact_below:
            rows = _exactly(cursor, within, space, vectors, limit)
        else:
            # The index filters after it has scanned: it must look at more than it returns, and go on where few remain.
            most = max(limit, looked_at(_estimated_rows(model, space, Scope(), alias), RULES))
            cursor.execute(_SCANNING, [str(most)])
            rows = _by_index(within, space, vectors, limit, most)
        for place, distance, chunk_id in rows:
            found[place].append((float(distance), chunk_id))
    return [sorted(neighbours) for neighbours in found]  # a relaxed scan's order is nearly right; distances are exact


def _estimated_rows(model: type[VectorModel], space: EmbeddingSpace, scope: Scope, alias: str) -> int:
    """Return the planner's estimate of the vectors in a scope; of chunks there are as many as there are chunks."""
    if model is ChunkVector:
        return estimated_size(scope, alias)
    return _planned_rows(model.objects.using(alias).filter(space_id=space.pk).within(scope))


def estimated_size(scope: Scope, alias: str | None = None) -> int:
    """Return the planner's estimate of the chunks in a scope: half a millisecond, whatever the size."""
    return _planned_rows(Chunk.objects.using(alias or router.db_for_read(Chunk)).within(scope))


def _planned_rows(rows: QuerySet[Any]) -> int:
    plan = json.loads(rows.order_by().values("pk").explain(format="json"))[0]["Plan"]
    return int(plan["Plan Rows"])


def _exactly(cursor: CursorWrapper, within: Any, space: EmbeddingSpace, vectors: Matrix, limit: int) -> Iterable[Row]:
    """Gather the scope's vectors first: left to itself the planner may prefer the index, which would find few."""
    subset, parameters = within.order_by().values("chunk_id", "embedding").query.sql_with_params()
    cast = f"halfvec({space.width})"
    look = (
        f"(SELECT %s, embedding::{cast} <=> %s::{cast} AS distance, chunk_id FROM subset "  # noqa: S608 - a number's cast
        "ORDER BY distance, chunk_id LIMIT %s)"
    )
    asked: list[Any] = [value for place, one in enumerate(vectors) for value in (place, _written(one), limit)]
    cursor.execute(
        f"WITH subset (chunk_id, embedding) AS MATERIALIZED ({subset}) " + " UNION ALL ".join([look] * len(vectors)),
        [*parameters, *asked],
    )
    rows: list[Row] = cursor.fetchall()
    return rows


def _by_index(within: Any, space: EmbeddingSpace, vectors: Matrix, limit: int, most: int) -> Iterable[Row]:
    looks = []
    for place, vector in enumerate(vectors):
        likely = within
        if space.dtype == space.Dtype.BINARY:
            bits = within.nearest_by_bits(space, vector).values("pk")[:most]
            likely = within.model.objects.using(within.db).filter(pk__in=bits)
        nearest = likely.nearest(space, vector).annotate(place=Value(place))
        looks.append(nearest.values_list("place", "distance", "chunk_id")[:limit])
    rows: Iterable[Row] = looks[0].union(*looks[1:], all=True)
    return rows


def _written(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{value:.7g}" for value in vector) + "]"
