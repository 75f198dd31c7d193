"""A space of random vectors, for searches that are compared with exact ones."""

import numpy as np
from django.db import connection

from corpus.indexing.vector_index import vector_index_build
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, SentenceVector
from tests.factories import a_collection

ROWS, WIDTH = 1500, 64


def random_space(dtype):
    """One chunk in a hundred is in the small collection, one in three is French."""
    rng = np.random.default_rng(7)
    space = EmbeddingSpace.objects.create(model="random", width=WIDTH, state="serving", dtype=dtype)
    small, large = a_collection("small"), a_collection("large")
    vectors = rng.normal(size=(ROWS, WIDTH)).astype(np.float32)
    space.vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    chunks = Chunk.objects.bulk_create(
        Chunk(
            collection=large if row % 100 else small, kind="library" if row % 2 else "verse", ordinal=row, heading="",
            language="en" if row % 3 else "fr", address=str(row), text="x", tokens=1, content_hash=str(row),
            embedded_hash=str(row), folded_heading="", folded_text="x",
        )
        for row in range(ROWS)
    )  # fmt: skip
    ChunkVector.objects.bulk_create(
        ChunkVector(
            chunk=chunk,
            collection_id=chunk.collection_id,
            space=space,
            embedded_hash=chunk.content_hash,
            embedding=vector,
        )
        for chunk, vector in zip(chunks, space.vectors, strict=True)
    )
    # Each chunk has two sentences: its own vector, and that of the chunk half the corpus further on.
    SentenceVector.objects.bulk_create(
        SentenceVector(
            chunk=chunk,
            collection_id=chunk.collection_id,
            space=space,
            position=position,
            start=0,
            end=1,
            embedding=space.vectors[row],
        )
        for place, chunk in enumerate(chunks)
        for position, row in enumerate((place, (place + ROWS // 2) % ROWS))
    )
    vector_index_build(space=space, least=0)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE corpus_chunk, corpus_chunkvector, corpus_sentencevector")
    return space
