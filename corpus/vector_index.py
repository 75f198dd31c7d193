"""Storing vectors, and the HNSW index of a space: one partial index over one expression, which queries repeat
(corpus/querysets.py)."""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection, transaction
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from corpus.models import ChunkVector, EmbeddingSpace
from lectorium.copying import values_copy

BUILD_MEMORY = "512MB"  # the HNSW graph of 300,000 chunks fits; beyond it the build is slower, not wrong
GRAPH = "m = 16, ef_construction = 64"  # recall@10 0.985 at ef 40 on 200,000 rows (docs/database.md)
_COLUMNS = {"id": "uuid", "chunk_id": "uuid", "space_id": "uuid", "embedded_hash": "varchar", "embedding": "halfvec"}
_EXPRESSIONS = {
    EmbeddingSpace.Dtype.HALFVEC: "(embedding::halfvec({width})) halfvec_cosine_ops",
    EmbeddingSpace.Dtype.BINARY: "(binary_quantize(embedding::halfvec({width}))::bit({width})) bit_hamming_ops",
}


def vectors_copy(rows: Iterable[tuple[UUID, UUID, UUID, str, HalfVector]]) -> None:
    """Store new vectors, each with its id, chunk, space and hash of what was embedded."""
    register_vector(connection.connection)  # before the cursor, which keeps the types known when it was made
    values_copy(ChunkVector, _COLUMNS, rows)


def vector_index_build(*, space: EmbeddingSpace) -> None:
    """Build the space's index where there is none: after the first load, because loading first is faster."""
    expression = _EXPRESSIONS[EmbeddingSpace.Dtype(space.dtype)].format(width=space.width)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = %s", [BUILD_MEMORY])
        cursor.execute(
            f"CREATE INDEX IF NOT EXISTS {_name(space)} ON {ChunkVector._meta.db_table} "
            f"USING hnsw ({expression}) WITH ({GRAPH}) WHERE space_id = '{space.pk}'"
        )


def vector_index_drop(*, space: EmbeddingSpace) -> None:
    """Drop the space's index where there is one."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX IF EXISTS {_name(space)}")


def _name(space: EmbeddingSpace) -> str:
    return f"chunkvector_hnsw_{space.pk.hex[:12]}"
