"""What an exact search of a scope costs: by the vectors' own columns, as the product does, and joined to the chunks.

    LECTORIUM_STATE=$(mktemp -d) nice .venv/bin/python -m tests.benchmarks.scopes 200000

writes a part of docs/results/vectors.md. Needs a state folder of its own, whose corpus it replaces, unless an earlier
run left one of the same size. The chunks stand in the order of their collections, the vectors in that of the chunks'
ids, as an index run stores them: those of a collection lie far apart. Vectors are random, because an exact search
takes as long for any. Processor time is that of the session and of the workers that helped it.
"""

import os
import statistics
import sys
import time
from uuid import uuid4

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django

django.setup()

import numpy as np
import psutil
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pgvector import HalfVector

from corpus.domain.scope import Scope
from corpus.indexing import nearest
from corpus.indexing.vector_index import indexes_of, vector_index_drop, vectors_copy
from corpus.models import Chunk, ChunkVector, Collection, EmbeddingSpace
from evaluation.results import publish_part
from lectorium.postgres.postmaster import read_pid_file
from tests.benchmarks.vector_scale import HEAD, WIDTH, worked

PARTS, LIMIT, QUESTIONS, WARM_UP, TOGETHER, DRAWN = 100, 60, 40, 5, 10_000, 20_000
TEXT = "And so the teacher said to the people who had come from far away: " * 10
FILL = """
    INSERT INTO corpus_chunk (id, collection_id, kind, ordinal, language, address, address_keys, heading, speaker, text,
        context, situation, situated_by, paragraphs, cues, char_start, char_end, tokens, content_hash, embedded_hash,
        retrievable, folded_heading, folded_address, folded_text, folded_context)
    SELECT gen_random_uuid(), (%(collections)s::uuid[])[1 + row * %(parts)s / %(size)s], 'lecture', row, 'en', '', '{}',
        '', '', %(text)s, '', '', '', '[]', '[]', 0, 0, 150, '', '', true, '', '', %(text)s, ''
    FROM generate_series(0::bigint, %(size)s - 1) AS row
"""


def fill(size):
    """Return the space, without indexes, and the ids of the collections, each with one chunk in a hundred."""
    keys = [f"part-{part}" for part in range(PARTS)]
    Collection.objects.bulk_create([Collection(key=key, title=key) for key in keys], ignore_conflicts=True)
    collections = [Collection.objects.get(key=key).pk for key in keys]
    filled = EmbeddingSpace.objects.filter(model="made").first()
    if filled and ChunkVector.objects.count() == size:
        vector_index_drop(space=filled)
        return filled, collections
    drawn = np.random.default_rng(0).normal(size=(min(size, DRAWN), WIDTH)).astype(np.float32)
    vectors = [HalfVector(vector / np.linalg.norm(vector)) for vector in drawn]
    with connection.cursor() as cursor:
        cursor.execute(
            "TRUNCATE corpus_chunk, corpus_chunkvector, corpus_sentencevector, corpus_embeddingspace CASCADE"
        )
        space = EmbeddingSpace.objects.create(model="made", width=WIDTH, state="serving")
        cursor.execute(FILL, {"collections": collections, "parts": PARTS, "size": size, "text": TEXT})
        ids = dict(Chunk.objects.values_list("pk", "ordinal"))
        ordered = sorted(ids)
        for start in range(0, size, TOGETHER):
            some = ordered[start : start + TOGETHER]
            vectors_copy([(uuid4(), pk, space.pk, "", 0, vectors[ids[pk] % len(vectors)]) for pk in some])
        cursor.execute("VACUUM ANALYZE corpus_chunk, corpus_chunkvector")
    return space, collections


def measured(search, queries):
    """What the search finds for each query, and the milliseconds of processor time, on average, and of clock time."""
    session = psutil.Process(connection.connection.info.backend_pid)
    server = psutil.Process(read_pid_file(settings.EMBEDDED_POSTGRES.place).pid)
    found, took = [], []
    for number, query in enumerate([*queries[:WARM_UP], *queries]):
        if number == WARM_UP:
            before = worked(session) + ended(server)
        began = time.perf_counter()
        neighbours = search(query)
        if number >= WARM_UP:
            took.append(1000 * (time.perf_counter() - began))
            found.append(neighbours)
    return found, 1000 * (worked(session) + ended(server) - before) / len(queries), statistics.median(took)


def ended(server):
    """Processor seconds of the server's processes that have ended, such as the workers of a statement."""
    times = server.cpu_times()
    return times.children_user + times.children_system


def by_own_columns(space, query, scope):
    return nearest.search(ChunkVector, space, query, scope, LIMIT, None)[0]


def joined(space, query, scope):
    """As the search was until the vectors had columns of their own, and still is by language or kind."""
    within = ChunkVector.objects.filter(space_id=space.pk).within(scope)
    with connection.cursor() as cursor:
        rows = nearest.compared(cursor, within, space, query, LIMIT)
    return sorted((float(distance), chunk_id) for _, distance, chunk_id in rows)


def scope_index(space):
    """Build the index of scopes alone; return its seconds of processor time and its bytes."""
    (name, table, definition), *_ = (index for index in indexes_of(space) if "scope" in index[0])
    session = psutil.Process(connection.connection.info.backend_pid)
    before = worked(session)
    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_maintenance_workers = 0")
        cursor.execute(f"CREATE INDEX {name} ON {table} {definition}")
        cursor.execute(f"VACUUM {table}")
        cursor.execute("SELECT pg_relation_size(%s)", [name])
        return worked(session) - before, cursor.fetchone()[0]


def rows_of(ways, space, collections, queries, truth):
    for parts in (1, 10):
        scope = Scope(tuple(collections[:parts]))
        for way, search in ways.items():
            found, cpu, clock = measured(lambda query: search(space, query, scope), queries)  # noqa: B023 - called at once
            exact = truth.setdefault(parts, found)
            hits = sum(len(set(some) & set(all_)) for some, all_ in zip(found, exact, strict=True))
            line = f"| {parts} % | {way} | {hits / sum(map(len, exact)):.3f} | {cpu:.1f} | {clock:.1f} |"
            print(line, file=sys.stderr, flush=True)
            yield line


def main():
    size, before = int(sys.argv[1]), os.getloadavg()[0]
    call_command("migrate", verbosity=0)
    space, collections = fill(size)
    queries, truth = np.random.default_rng(1).normal(size=(QUESTIONS, 1, WIDTH)).astype(np.float32), {}
    ways = {"joined to the chunks": joined, "own columns, without the index": by_own_columns}
    rows = [*rows_of(ways, space, collections, queries, truth)]
    seconds, size_of_index = scope_index(space)
    rows += rows_of({"own columns": by_own_columns}, space, collections, queries, truth)
    publish_part(
        "vectors",
        HEAD,
        f"{size:,} vectors: a scope",
        [
            f"The nearest {LIMIT} chunks of a scope, exactly, as the product finds them; {QUESTIONS} random questions. "
            f"The index of the scope: {size_of_index / 2**20:.0f} MB, built in {seconds:.1f} s of processor time. "
            f"Read by: `python -m tests.benchmarks.scopes {size}`.",
            "",
            f"| scope | compared | recall@{LIMIT} | CPU ms | p50 ms |",
            "|---|---|---:|---:|---:|",
            *sorted(rows, key=lambda row: row.startswith("| 10")),
            "",
            f"Load average {before:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} cores.",
        ],
    )


if __name__ == "__main__":
    main()
