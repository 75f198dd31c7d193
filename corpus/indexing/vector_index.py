"""Stores vectors, and builds the HNSW indexes of a space for chunks and sentences.

Each is a partial index over one expression, which queries repeat (corpus/querysets.py).
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection, transaction
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from corpus.domain.nearness import NearnessRules
from corpus.models import ChunkVector, EmbeddingSpace, SentenceVector
from lectorium.bulk_copy import values_copy

FEWEST = NearnessRules().exact_below
BUILD_MEMORY = "512MB"  # fits the HNSW graph of 300,000 chunks; a larger build is slower
GRAPH = "m = 16, ef_construction = 64"  # recall@10 0.985 at ef 40 on 200,000 rows (docs/database.md)
_KEYS = {"id": "uuid", "chunk_id": "uuid", "space_id": "uuid"}
_CHUNK_COLUMNS = {**_KEYS, "embedded_hash": "varchar", "sentences": "int2", "embedding": "halfvec"}
_SENTENCE_COLUMNS = {**_KEYS, "position": "int2", "start": "int4", "end": "int4", "embedding": "halfvec"}
_EXPRESSIONS = {
    EmbeddingSpace.Dtype.HALFVEC: "(embedding::halfvec({width})) halfvec_cosine_ops",
    EmbeddingSpace.Dtype.BINARY: "(binary_quantize(embedding::halfvec({width}))::bit({width})) bit_hamming_ops",
}


ChunkRow = tuple[
    UUID, UUID, UUID, str, int, HalfVector
]  # id, chunk, space, hash of the embedded text, sentences, vector
SentenceRow = tuple[UUID, UUID, UUID, int, int, int, HalfVector]  # id, chunk, space, position, start, end, vector


def vectors_copy(chunks: Iterable[ChunkRow], sentences: Iterable[SentenceRow] = ()) -> None:
    register_vector(connection.connection)  # before the cursor, which caches the known types
    values_copy(ChunkVector, _CHUNK_COLUMNS, chunks)
    values_copy(SentenceVector, _SENTENCE_COLUMNS, sentences)


def vector_index_build(*, space: EmbeddingSpace, least: int = FEWEST) -> None:
    """Build the space's missing indexes after the first load, because loading first is faster.

    least: vectors from which an index serves; searches compare fewer one by one.
    """
    expression = _EXPRESSIONS[EmbeddingSpace.Dtype(space.dtype)].format(width=space.width)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = %s", [BUILD_MEMORY])
        for name, table in _indexes(space):
            some = f"SELECT FROM {table} WHERE space_id = %s LIMIT %s"
            cursor.execute(f"SELECT count(*) FROM ({some}) AS enough", [space.pk, least])  # noqa: S608
            if cursor.fetchone()[0] < least:
                continue
            cursor.execute(
                f"CREATE INDEX IF NOT EXISTS {name} ON {table} "
                f"USING hnsw ({expression}) WITH ({GRAPH}) WHERE space_id = '{space.pk}'"
            )


def vector_index_drop(*, space: EmbeddingSpace) -> None:
    with connection.cursor() as cursor:
        for name, _ in _indexes(space):
            cursor.execute(f"DROP INDEX IF EXISTS {name}")


def _indexes(space: EmbeddingSpace) -> list[tuple[str, str]]:
    """(name, table) of each index of the space."""
    return [
        (f"{model._meta.model_name}_hnsw_{space.pk.hex[:12]}", model._meta.db_table)
        for model in (ChunkVector, SentenceVector)
    ]
