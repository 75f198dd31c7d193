"""Stores vectors, and builds the indexes of a space for chunks and sentences.

The HNSW index is a partial index over one expression, which queries repeat (corpus/querysets.py). The other is by
collection and source, and holds the vectors too: those of a scope lie side by side in it, however they came in.
"""

from collections.abc import Iterable
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from corpus.domain.nearness import NearnessRules
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, SentenceVector
from lectorium.bulk_copy import values_copy

FEWEST = NearnessRules().joined_below
BUILD_MEMORY = 512 * 1024  # kB, which fits the HNSW graph of 300,000 chunks; a larger one is slower to build
_ENOUGH_MEMORY = (
    "SELECT set_config(name, greatest(setting::bigint, %s)::text, true) FROM pg_settings WHERE name = "
    "'maintenance_work_mem'"
)
_KEYS = {"id": "uuid", "chunk_id": "uuid", "space_id": "uuid"}
_PLACE = {"collection_id": "uuid", "source_id": "uuid"}
_CHUNK_COLUMNS = {**_KEYS, "embedded_hash": "varchar", "sentences": "int2", "embedding": "halfvec", **_PLACE}
_SENTENCE_COLUMNS = {**_KEYS, "position": "int2", "start": "int4", "end": "int4", "embedding": "halfvec", **_PLACE}
WIDEST_INCLUDED = 1_280  # a row of an ordinary index holds at most 2,704 bytes
_EXPRESSIONS = {
    EmbeddingSpace.Dtype.HALFVEC: "(embedding::halfvec({width})) halfvec_cosine_ops",
    EmbeddingSpace.Dtype.BINARY: "(binary_quantize(embedding::halfvec({width}))::bit({width})) bit_hamming_ops",
}


ChunkRow = tuple[
    UUID, UUID, UUID, str, int, HalfVector
]  # id, chunk, space, hash of the embedded text, sentences, vector
SentenceRow = tuple[UUID, UUID, UUID, int, int, int, HalfVector]  # id, chunk, space, position, start, end, vector


def vectors_copy(chunks: Iterable[ChunkRow], sentences: Iterable[SentenceRow] = ()) -> None:
    """Insert vectors, each with its chunk's collection and source. Nothing else writes vectors."""
    register_vector(connection.connection)  # before the cursor, which caches the known types
    chunks, sentences = list(chunks), list(sentences)
    ids = {row[1] for rows in (chunks, sentences) for row in rows}
    rows = Chunk.objects.filter(pk__in=ids).order_by().values_list("pk", "collection_id", "lecture_id", "work_id")
    places = {pk: (collection, lecture or work) for pk, collection, lecture, work in rows}
    values_copy(ChunkVector, _CHUNK_COLUMNS, ((*row, *places[row[1]]) for row in chunks))
    values_copy(SentenceVector, _SENTENCE_COLUMNS, ((*row, *places[row[1]]) for row in sentences))


def vector_index_build(*, space: EmbeddingSpace, least: int = FEWEST) -> None:
    """Build the space's missing indexes after the first load, because loading first is faster.

    With the server's maintenance_work_mem, or BUILD_MEMORY where that is less.
    least: vectors from which indexes serve; of fewer, searches compare all of the table's.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_ENOUGH_MEMORY, [BUILD_MEMORY])
        for name, table, definition in indexes_of(space):
            some = f"SELECT FROM {table} WHERE space_id = %s LIMIT %s"
            cursor.execute(f"SELECT count(*) FROM ({some}) AS enough", [space.pk, least])  # noqa: S608
            if cursor.fetchone()[0] >= least:
                cursor.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {table} {definition}")


def vector_index_drop(*, space: EmbeddingSpace) -> None:
    with connection.cursor() as cursor:
        for name, *_ in indexes_of(space):
            cursor.execute(f"DROP INDEX IF EXISTS {name}")


def graph() -> str:
    """The shape of an HNSW graph that is built now: neighbours of a vector, and how many are compared to find them."""
    return f"m = 16, ef_construction = {settings.EF_CONSTRUCTION}"


def indexes_of(space: EmbeddingSpace) -> list[tuple[str, str, str]]:
    """(name, table, definition) of each index of the space."""
    expression = _EXPRESSIONS[EmbeddingSpace.Dtype(space.dtype)].format(width=space.width)
    held = "chunk_id, embedding" if space.width <= WIDEST_INCLUDED else "chunk_id"
    definitions = {
        "hnsw": f"USING hnsw ({expression}) WITH ({graph()})",
        "scope": f"(collection_id, source_id) INCLUDE ({held})",
    }
    return [
        (
            f"{model._meta.model_name}_{sort}_{space.pk.hex[:12]}",
            model._meta.db_table,
            f"{definition} WHERE space_id = '{space.pk}'",
        )
        for model in (ChunkVector, SentenceVector)
        for sort, definition in definitions.items()
    ]
