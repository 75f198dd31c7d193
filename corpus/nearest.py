"""Nearest neighbours within a scope: exactly where few chunks are in it, by the space's index where many are."""

import json
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import connections, router, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Value

from corpus.domain.nearness import NearnessRules, looked_at
from corpus.domain.scope import Scope
from corpus.models import Chunk, ChunkVector, EmbeddingSpace
from lectorium.providers.protocols import Matrix

RULES = NearnessRules()
_SCANNING = "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'relaxed_order', true)"

Neighbour = tuple[float, UUID]  # cosine distance, 0..2, and chunk id
Row = tuple[int, float, UUID]  # which vector, and its neighbour


def nearest_chunks(space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int) -> list[list[Neighbour]]:
    """Return for each vector the `limit` nearest chunks in the scope, closest first, with exact distances.

    All vectors are searched with in one statement.
    """
    found: list[list[Neighbour]] = [[] for _ in vectors]
    if not found:
        return found
    alias = router.db_for_read(ChunkVector)
    within = ChunkVector.objects.using(alias).filter(space_id=space.pk).within(scope)
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        if estimated_size(scope, alias) < RULES.exact_below:
            rows = _exactly(cursor, within, space, vectors, limit)
        else:
            # The index filters after it has scanned: it must look at more than it returns, and go on where few remain.
            most = max(limit, looked_at(estimated_size(Scope(), alias), RULES))
            cursor.execute(_SCANNING, [str(most)])
            rows = _by_index(within, space, vectors, limit, most)
        for place, distance, chunk_id in rows:
            found[place].append((float(distance), chunk_id))
    return [sorted(one) for one in found]  # a relaxed scan's order is nearly right; the distances are exact


def estimated_size(scope: Scope, alias: str | None = None) -> int:
    """Return the planner's estimate of the chunks in a scope: half a millisecond, whatever the size."""
    chunks = Chunk.objects.using(alias or router.db_for_read(Chunk)).within(scope).order_by()
    plan = json.loads(chunks.values("pk").explain(format="json"))[0]["Plan"]
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
            likely = ChunkVector.objects.using(within.db).filter(pk__in=bits)
        nearest = likely.nearest(space, vector).annotate(place=Value(place))
        looks.append(nearest.values_list("place", "distance", "chunk_id")[:limit])
    rows: Iterable[Row] = looks[0].union(*looks[1:], all=True)
    return rows


def _written(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{value:.7g}" for value in vector) + "]"
