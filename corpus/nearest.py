"""Nearest neighbours within a scope: exactly where few chunks are in it, by the space's index where many are."""

import json
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import connections, router, transaction
from django.db.backends.utils import CursorWrapper

from corpus.domain.nearness import NearnessRules, looked_at
from corpus.domain.scope import Scope
from corpus.models import Chunk, ChunkVector, EmbeddingSpace
from lectorium.providers.protocols import Matrix

RULES = NearnessRules()

Neighbour = tuple[float, UUID]  # cosine distance, 0..2, and chunk id


def nearest_chunks(space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int) -> list[list[Neighbour]]:
    """Return for each vector the `limit` nearest chunks in the scope, closest first, with exact distances."""
    alias = router.db_for_read(ChunkVector)
    within = ChunkVector.objects.using(alias).filter(space_id=space.pk).within(scope)
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        if estimated_size(scope, alias) < RULES.exact_below:
            return [_exactly(cursor, within, space, vector, limit) for vector in vectors]
        # The index filters after it has scanned: it must look at more than it returns, and go on where few remain.
        most = max(limit, looked_at(estimated_size(Scope(), alias), RULES))
        cursor.execute(f"SET LOCAL hnsw.ef_search = {most}")
        cursor.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
        return [_by_index(within, space, vector, limit, most) for vector in vectors]


def estimated_size(scope: Scope, alias: str | None = None) -> int:
    """Return the planner's estimate of the chunks in a scope: half a millisecond, whatever the size."""
    chunks = Chunk.objects.using(alias or router.db_for_read(Chunk)).within(scope).order_by()
    plan = json.loads(chunks.values("pk").explain(format="json"))[0]["Plan"]
    return int(plan["Plan Rows"])


def _exactly(cursor: CursorWrapper, within: Any, space: EmbeddingSpace, vector: Any, limit: int) -> list[Neighbour]:
    """Gather the scope's vectors first: left to itself the planner may prefer the index, which would find few."""
    subset, parameters = within.order_by().values("chunk_id", "embedding").query.sql_with_params()
    cast = f"halfvec({space.width})"
    cursor.execute(
        f"WITH subset (chunk_id, embedding) AS MATERIALIZED ({subset}) "  # noqa: S608 - the ORM's own words
        f"SELECT embedding::{cast} <=> %s::{cast} AS distance, chunk_id FROM subset "
        "ORDER BY distance, chunk_id LIMIT %s",
        [*parameters, _written(vector), limit],
    )
    return [(float(distance), chunk_id) for distance, chunk_id in cursor.fetchall()]


def _by_index(within: Any, space: EmbeddingSpace, vector: Any, limit: int, most: int) -> list[Neighbour]:
    if space.dtype == space.Dtype.BINARY:
        likely = within.nearest_by_bits(space, vector).values_list("pk", flat=True)[:most]
        within = ChunkVector.objects.using(within.db).filter(pk__in=list(likely))
    found: Iterable[Neighbour] = within.nearest(space, vector).values_list("distance", "chunk_id")[:limit]
    return sorted(found)  # a relaxed scan's order is nearly right; the distances are exact


def _written(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{value:.7g}" for value in vector) + "]"
