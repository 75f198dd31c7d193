"""Nearest chunks and sentences in a scope: exactly in a small one, by the vector index in a large one."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from django.conf import settings
from django.db import connections, router, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import BinaryField, F, Func, QuerySet, Value
from django.db.models.functions import Cast
from pgvector.django import CosineDistance, HalfVectorField

from corpus.domain.nearness import NearnessRules, looked_at
from corpus.domain.scope import Scope
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, SentenceVector
from lectorium.ladder.read_once import read_once
from lectorium.providers.protocols import Matrix, Vector

RULES = NearnessRules()
_HEADER = 4  # bytes of a sent vector: its width and an unused number
_SCANNING = "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'relaxed_order', true)"

Neighbour = tuple[float, UUID]  # cosine distance 0..2, chunk id
Row = tuple[int, float, UUID]  # position of the query vector, distance, chunk id
VectorModel = ChunkVector | SentenceVector


def nearest_chunks(space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int) -> list[list[Neighbour]]:
    """For each vector the `limit` nearest chunks in the scope, closest first, in one statement."""
    return _nearest(ChunkVector, space, vectors, scope, limit)


def nearest_sentences(space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int) -> list[list[Neighbour]]:
    """For each vector up to `limit` chunks in the scope by their nearest sentence, closest first.

    Fewer than `limit` where some chunks have several of the nearest sentences.
    """
    found = _nearest(SentenceVector, space, vectors, scope, RULES.sentences * limit)
    return [_best_of_each(neighbours)[:limit] for neighbours in found]


def chunk_vectors(space: EmbeddingSpace, ids: Sequence[UUID]) -> Iterator[tuple[UUID, Vector]]:
    """(chunk id, vector) of these chunks. Sent in binary, because reading a vector from text takes 0.2 ms."""
    sent = Func(F("embedding"), function="halfvec_send", output_field=BinaryField())
    rows = ChunkVector.objects.filter(space=space, chunk_id__in=ids).values_list("chunk_id", sent)
    for chunk_id, binary in rows:
        yield chunk_id, _vector(binary)


def sentence_vectors(space: EmbeddingSpace, ids: Collection[UUID]) -> dict[tuple[UUID, int], Vector]:
    """The vectors of these chunks' sentences by (chunk id, the sentence's first character in the chunk's text)."""
    sent = Func(F("embedding"), function="halfvec_send", output_field=BinaryField())
    rows = SentenceVector.objects.filter(space=space, chunk_id__in=ids).values_list("chunk_id", "start", sent)
    return {(chunk_id, start): _vector(binary) for chunk_id, start, binary in rows}


def _vector(binary: bytes) -> Vector:
    return np.frombuffer(binary, dtype=">f2", offset=_HEADER).astype(np.float32)


def _best_of_each(neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """The first neighbour of each chunk, in order."""
    best: dict[UUID, float] = {}
    for distance, chunk_id in neighbours:
        best.setdefault(chunk_id, distance)
    return [(distance, chunk_id) for chunk_id, distance in best.items()]


def _nearest(
    model: type[VectorModel], space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int
) -> list[list[Neighbour]]:
    if scope.collections == ():
        return [[] for _ in vectors]
    most = None
    if len(vectors):
        alias = router.db_for_read(model)
        needs_chunks = scope.languages or scope.kinds
        few = RULES.joined_below if needs_chunks else RULES.exact_below
        if estimated_rows(model, space, scope, alias) >= few:
            most = max(limit, _rows_to_look_at(model, space, alias))
    return search(model, space, vectors, scope, limit, most)


def search(
    model: type[VectorModel], space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int, most: int | None
) -> list[list[Neighbour]]:
    """For each vector its `limit` nearest in the scope.

    most: rows that the index looks at, beyond RULES.most in several scans, which only a binary one goes on with; None
    compares all.
    """
    if not len(vectors):
        return []
    alias = router.db_for_read(model)
    stored = model.objects.using(alias).filter(space_id=space.pk)
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        if most is None:
            return _exactly(cursor, stored.likely_within(scope), space, vectors, scope, limit)
        # The index filters after scanning, so it must scan more rows than it returns and continue if few match.
        cursor.execute(_SCANNING, [str(min(most, RULES.most))])
        found = _by_place(_by_index(stored.within(scope), space, vectors, limit, most), len(vectors))
    return [sorted(neighbours) for neighbours in found]  # a relaxed scan is only nearly in order


def _by_place(rows: Iterable[Row], places: int) -> list[list[Neighbour]]:
    found: list[list[Neighbour]] = [[] for _ in range(places)]
    for place, distance, chunk_id in rows:
        found[place].append((float(distance), chunk_id))
    return found


def _rows_to_look_at(model: type[VectorModel], space: EmbeddingSpace, alias: str) -> int:
    """As many as `index --tune` found to reach LECTORIUM_RECALL, while the space has not outgrown that."""
    rows, tuned = estimated_rows(model, space, Scope(), alias), space.tuned.get(model._meta.model_name)
    if tuned and rows <= RULES.grown * tuned["rows"]:
        return int(tuned[settings.RECALL][0])
    return looked_at(rows, RULES)


@read_once
def estimated_rows(model: type[VectorModel], space: EmbeddingSpace, scope: Scope, alias: str) -> int:
    """The planner's estimate of the vectors in a scope; half a millisecond at any size."""
    return _planned_rows(model.objects.using(alias).filter(space_id=space.pk).likely_within(scope))


def _planned_rows(rows: QuerySet[Any]) -> int:
    plan = json.loads(rows.order_by().values("pk").explain(format="json"))[0]["Plan"]
    return int(plan["Plan Rows"])


def _exactly(
    cursor: CursorWrapper, likely: Any, space: EmbeddingSpace, vectors: Matrix, scope: Scope, limit: int
) -> list[list[Neighbour]]:
    """Compare all that may be in the scope, and check the chunks of the nearest, of more where too few of them are."""
    wanted = limit + RULES.spare
    while True:
        nearest = _by_place(compared(cursor, likely, space, vectors, wanted), len(vectors))
        ids = {chunk_id for neighbours in nearest for _, chunk_id in neighbours}
        within = set(Chunk.objects.using(likely.db).within(scope).filter(pk__in=ids).values_list("pk", flat=True))
        found = [[near for near in sorted(neighbours) if near[1] in within][:limit] for neighbours in nearest]
        if all(len(found[place]) == limit or len(nearest[place]) < wanted for place in range(len(vectors))):
            return found
        wanted *= RULES.widened


def compared(cursor: CursorWrapper, likely: Any, space: EmbeddingSpace, vectors: Matrix, wanted: int) -> list[Row]:
    """Materialize the distances first; otherwise the planner may choose the vector index, which would find few."""
    stored = Cast("embedding", HalfVectorField(dimensions=space.width))
    distances = {f"distance_{place}": CosineDistance(stored, vector) for place, vector in enumerate(vectors)}
    subset, parameters = (
        likely.order_by().annotate(**distances).values_list("chunk_id", *distances).query.sql_with_params()
    )
    look = "(SELECT {place}, {name}, chunk_id FROM subset ORDER BY {name}, chunk_id LIMIT {wanted})"
    looks = (look.format(place=place, name=name, wanted=int(wanted)) for place, name in enumerate(distances))
    cursor.execute(
        f"WITH subset (chunk_id, {', '.join(distances)}) AS MATERIALIZED ({subset}) " + " UNION ALL ".join(looks),
        parameters,
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
