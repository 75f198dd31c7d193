"""Recall and speed of the vector index, as the product searches it, beside exact search.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.nearest 50000 200000

writes docs/results/index.md. Needs LECTORIUM_DATA and an empty state folder. Vectors: those of some chunks of the
lectures, whose ids are by chance, and around each further ones at a cosine of about 0.8 (Gaussian noise, seed 0), up to
the size asked for. Questions: those of golden/dev.jsonl, embedded for real.
"""

import os
import sys
import time
from io import StringIO
from uuid import UUID, uuid4

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
import numpy as np
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pgvector import HalfVector

django.setup()

from audit.domain.metrics import percentile
from corpus.domain.nearness import NearnessRules
from corpus.domain.scope import Scope
from corpus.indexing import nearest
from corpus.indexing.vector_index import vector_index_build, vector_index_drop, vectors_copy
from corpus.models import Chunk, ChunkVector, Collection, EmbeddingSpace
from corpus.services.spaces import space_ensure
from evaluation.golden_run import QUESTION, read_rows
from evaluation.results import publish
from lectorium.providers import registry

LECTURES = ("lectures/vivekananda", "lectures/william_james")
NOISE = 0.75  # length of the noise beside a vector of length 1: a cosine of 0.8
REAL = 300  # embedding more is dear, and the noise decides
TOP, QUESTIONS, LOADED_TOGETHER = 10, 100, 10_000
EXACT_BELOW = nearest.RULES.exact_below


def real_vectors():
    """Import the lectures and embed some; return their vectors, the questions', and the space."""
    paths = [str(settings.DATA_DIR / name) for name in LECTURES]
    call_command("import_lectures", *paths, stdout=StringIO(), stderr=StringIO())
    model = registry.embedder()
    texts = list(Chunk.objects.order_by("pk").values_list("text", flat=True)[:REAL])
    questions = [row["question"] for row in read_rows(settings.DATA_DIR / "golden" / "dev.jsonl", QUESTION)][:QUESTIONS]
    return model.embed_passages(texts), model.embed_questions(questions), space_ensure(model)


def jittered(real, size):
    """Return `size` vectors around the real ones, rounded as they are stored."""
    rng = np.random.default_rng(0)
    chosen = real[rng.integers(len(real), size=size)]
    noise = rng.normal(size=chosen.shape).astype(np.float32)
    noisy = chosen + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    noisy /= np.linalg.norm(noisy, axis=1, keepdims=True)
    return noisy.astype(np.float16).astype(np.float32)


def load(vectors, space):
    """Fill the tables with so many chunks, one in a hundred of them in a collection of its own."""
    Chunk.objects.all()._raw_delete("default")
    ChunkVector.objects.all()._raw_delete("default")
    few, many = (Collection.objects.get_or_create(key=key, defaults={"title": key})[0] for key in ("few", "many"))
    ids = [UUID(int=(row << 96) + row) for row in range(len(vectors))]
    for start in range(0, len(ids), LOADED_TOGETHER):
        some = range(start, min(start + LOADED_TOGETHER, len(ids)))
        Chunk.objects.bulk_create(
            Chunk(pk=ids[row], collection=many if row % 100 else few, kind="library", ordinal=row, address=str(row),
                  text="x", folded_text="x", tokens=1, content_hash=str(row), embedded_hash=str(row))
            for row in some
        )  # fmt: skip
        vectors_copy([(uuid4(), ids[row], space.pk, str(row), 0, HalfVector(vectors[row])) for row in some])
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE corpus_chunk, corpus_chunkvector")
    return few.pk


def looked_up(space, question, scope, depth):
    """Return the ids of the nearest chunks as the product finds them, and the milliseconds it took."""
    began = time.perf_counter()
    (found,) = nearest.nearest_chunks(space, question[None], scope, depth)
    return {pk for _, pk in found}, 1000 * (time.perf_counter() - began)


def measure(space, vectors, questions, rows, scope):
    """Return recall@10 against an exact search of the scope's rows, and p50 and p95 in milliseconds."""
    truth = rows[np.argsort(-(questions @ vectors[rows].T), axis=1)[:, :TOP]]
    hits, milliseconds = 0, []
    for question, exact in zip(questions, truth, strict=True):
        found, took = looked_up(space, question, scope, TOP)
        milliseconds.append(took)
        hits += len({pk.int & (2**96 - 1) for pk in found} & set(exact.tolist()))
    return hits / truth.size, percentile(milliseconds, 0.5), percentile(milliseconds, 0.95)


def rows_for(size, real, questions, space):
    """Yield the table's lines for one size, under both indexes."""
    vectors = jittered(real, size)
    vector_index_drop(space=space)
    few = load(vectors, space)
    everything, filtered = np.arange(size), np.arange(0, size, 100)
    for dtype in EmbeddingSpace.Dtype.values:
        vector_index_drop(space=space)
        space.dtype = dtype
        began = time.perf_counter()
        vector_index_build(space=space, least=0)
        built = time.perf_counter() - began
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_relation_size(indexname::regclass) FROM pg_indexes WHERE indexname LIKE %s",
                           ["chunkvector_hnsw_%"])  # fmt: skip
            megabytes = cursor.fetchone()[0] / 2**20
        for name, rows, scope, exact_below in (
            ("everything", everything, Scope(), 0),
            ("1 %, as searched", filtered, Scope(collections=(few,)), EXACT_BELOW),
            ("1 %, forced through the index", filtered, Scope(collections=(few,)), 0),
        ):
            nearest.RULES = NearnessRules(exact_below=exact_below, joined_below=exact_below)
            recall, p50, p95 = measure(space, vectors, questions, rows, scope)
            line = f"| {size:,} | {dtype} | {built:.0f} s · {megabytes:.0f} MB | {name} | {recall:.3f} | "
            line += f"{p50:.1f} / {p95:.1f} |"
            print(line, flush=True)
            yield line


def main():
    sizes = [int(size) for size in sys.argv[1:]] or [50_000, 200_000]
    call_command("migrate", verbosity=0)
    real, questions, space = real_vectors()
    lines = [
        "## The vector index",
        "",
        f"recall@{TOP} of what the product's search finds against exact search, over {len(questions)} questions of "
        f"`golden/dev.jsonl`. Vectors: {len(real):,} real ones ({space.model}, chunks of the lectures); the rest lie "
        "around them at a cosine of about 0.8 (Gaussian noise), which is harder for an index "
        "than a real corpus (see the index over real chunks). Scopes that "
        f"hold under {EXACT_BELOW:,} chunks are searched exactly, others by the index with iterative scans. On 2 "
        "shared cores, one question at a time. Read by: `python -m tests.benchmarks.nearest`.",
        "",
        "| chunks | index | build | scope | recall@10 | p50 / p95 ms |",
        "|---|---|---|---|---|---|",
    ]
    for size in sizes:
        lines += rows_for(size, real, questions, space)
        busy = f"Load of the machine, averaged over the last 15 minutes: {os.getloadavg()[2]:.1f}."
        publish("index", [*lines, "", busy])


if __name__ == "__main__":
    main()
