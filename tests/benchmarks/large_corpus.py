"""A corpus of real texts that is too large to embed for a measurement: its vectors lie around those of the samples."""

import sys
from uuid import uuid4

import numpy as np
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pgvector import HalfVector

from corpus.domain.text.sentences import sentence_spans
from corpus.indexing.terms import refresh_terms
from corpus.indexing.vector_index import vector_index_build, vector_index_drop, vectors_copy
from corpus.models import Chunk, ChunkVector, SentenceVector
from corpus.selectors import serving_space

LECTURES, WORKS = ("lectures/vivekananda", "lectures/william_james"), ("works/kjv",)
NOISE = 0.75  # length of the noise beside a vector of length 1: a cosine of 0.8
TOGETHER = 2_000


def set_up(size):
    """Import the samples and index them; then other texts up to `size` chunks, with vectors around the samples'."""
    call_command("migrate", verbosity=0)
    if not ChunkVector.objects.exists():
        call_command("import_lectures", str(settings.SAMPLES_DIR / "lectures"), verbosity=0)
        call_command("import_works", str(settings.SAMPLES_DIR / "works"), verbosity=0)
        call_command("index", verbosity=0)
    if Chunk.objects.count() < size:
        call_command("import_lectures", *(str(settings.DATA_DIR / name) for name in LECTURES), verbosity=0)
        call_command("import_works", *(str(settings.DATA_DIR / name) for name in WORKS), verbosity=0)
    space, noise = serving_space(), np.random.default_rng(1)
    bare = Chunk.objects.exclude(pk__in=ChunkVector.objects.values("chunk_id")).order_by("pk")
    due = list(bare.values_list("pk", "text", "embedded_hash")[: max(0, size - ChunkVector.objects.count())])
    if due:
        whole = _matrix(ChunkVector.objects.filter(space=space)[:500])
        parts = _matrix(SentenceVector.objects.filter(space=space)[:2000])
        vector_index_drop(space=space)
        for first in range(0, len(due), TOGETHER):
            _store(due[first : first + TOGETHER], space.pk, whole, parts, noise)
            print(f"\r{first:,} of {len(due):,} chunks", end="", file=sys.stderr, flush=True)
        vector_index_build(space=space, least=0)
        refresh_terms()
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE corpus_chunk, corpus_chunkvector, corpus_sentencevector")


def _matrix(rows):
    return np.stack([np.asarray(row.embedding, dtype=np.float32) for row in rows])


def _store(due, space, whole, parts, noise):
    spans = [sentence_spans(text) for _, text, _ in due]
    vectors = iter(jittered(whole, len(due), noise))
    sentences = iter(jittered(parts, sum(map(len, spans)), noise))
    vectors_copy(
        [(uuid4(), pk, space, made_of, len(of_one), HalfVector(next(vectors)))
         for (pk, _, made_of), of_one in zip(due, spans, strict=True)],
        [(uuid4(), pk, space, position, *span, HalfVector(next(sentences)))
         for (pk, _, _), of_one in zip(due, spans, strict=True) for position, span in enumerate(of_one)],
    )  # fmt: skip


def jittered(real, count, noise):
    """Return `count` vectors of length 1 around real ones."""
    drawn = real[noise.integers(len(real), size=count)]
    added = noise.normal(size=drawn.shape).astype(np.float32)
    noisy = drawn + NOISE * added / np.linalg.norm(added, axis=1, keepdims=True)
    return noisy / np.linalg.norm(noisy, axis=1, keepdims=True)
