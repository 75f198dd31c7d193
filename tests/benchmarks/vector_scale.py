"""Vector indexes over many vectors: HNSW over halves and over bits with re-ranking, filters, and LanceDB beside them.

    LECTORIUM_STATE=$(mktemp -d) LECTORIUM_EMBEDDER=minilm nice .venv/bin/python -m tests.benchmarks.vector_scale 50000

writes a part of docs/results/vectors.md. Needs LECTORIUM_DATA, and a state folder of its own, in which the embedded
sentences are kept for the next size. The vectors are those of up to SEEDS real sentences (tests/benchmarks/
real_sentences.py), and beyond that made around them (neighbours.py); the questions are real. `--buffers 256MB 4GB`
asks with each of these shared_buffers, and with a filter only with the last. With LECTORIUM_BENCHMARK_LANCE naming the
Python of a virtual environment that has lancedb and numpy, LanceDB indexes the same vectors in the same run; without it
that part is left out. `--only halfvec` (or exact, or IVF_PQ) measures one index, in a part of its own; runs in one
state folder have the same vectors. `--memory 8GB` builds with so much, `--graph "m = 32, ef_construction = 64"` such a
graph. Vectors lie on disk in halves: ten million take 7.7 GB there, and again in the database.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django

django.setup()

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from audit.domain.metrics import percentile
from corpus.indexing.vector_index import graph
from evaluation.golden_run import QUESTION, read_rows
from evaluation.results import publish_part
from lectorium.postgres.configuration import SETTINGS
from lectorium.providers import registry
from tests.benchmarks.neighbours import MIXED, NEAREST, RANKS, compared, made_around, nearest_of, nearest_others
from tests.benchmarks.peak_memory import PeakMemory, database_processes
from tests.benchmarks.real_sentences import real_sentences
from tests.benchmarks.sample_questions import standalone_questions

SEEDS, QUESTIONS, TOP, WIDTH = 100_000, 200, 10, 384
TOGETHER = 200_000  # vectors that are compared at once
WARM_UP, COMPARED_WITH_ALL = 20, 10  # questions
TABLE, PARTS = "benchmark_vector", 100  # a vector is in one of so many parts, by its number
FILTERS = {"": range(PARTS), "1 %": range(1), "10 %": range(10)}
HALF = f"embedding::halfvec({WIDTH})"
BITS = f"binary_quantize({HALF})::bit({WIDTH})"
INDEXES = {
    "halfvec": f"({HALF}) halfvec_cosine_ops",
    "binary": f"({BITS}) bit_hamming_ops",
}
ITERATIVE = "SET LOCAL hnsw.iterative_scan = relaxed_order"
LANCE_INDEXES = ("IVF_PQ", "IVF_HNSW_SQ")
LOOKED_AT = {"halfvec": (40, 100, 200, 400, 500, 600, 800, 1000), "binary": (100, 200, 400, 800, 1000, 2000, 4000)}
MOST_LOOKED_AT = 1000  # by one scan of HNSW; an iterative one goes on
STATEMENTS = {
    "halfvec": f"SELECT id FROM {TABLE} {{where}} ORDER BY {HALF} <=> %(q)s::halfvec({WIDTH}) LIMIT {TOP}",
    "binary": f"SELECT id FROM (SELECT id, embedding FROM {TABLE} {{where}} ORDER BY {BITS} <~> "
    f"binary_quantize(%(q)s::halfvec({WIDTH}))::bit({WIDTH}) LIMIT %(most)s) AS likely "
    f"ORDER BY {HALF} <=> %(q)s::halfvec({WIDTH}) LIMIT {TOP}",
    "exact": f"WITH subset AS MATERIALIZED (SELECT id, {HALF} <=> %(q)s::halfvec({WIDTH}) AS distance FROM {TABLE} "
    f"{{where}}) SELECT id FROM subset ORDER BY distance LIMIT {TOP}",
}


def stored(name, make):
    """The array of this name in the state folder, made where it is missing."""
    path = settings.STATE_DIR / "vector_scale" / f"{name}.npy"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, make())
    return np.load(path)


def sentence_vectors():
    return registry.embedder().embed_passages(real_sentences(SEEDS))


def question_vectors():
    golden = [row["question"] for row in read_rows(settings.DATA_DIR / "golden" / "dev.jsonl", QUESTION)]
    texts = list(dict.fromkeys(golden + standalone_questions()))[:QUESTIONS]
    return registry.embedder().embed_questions(texts)


def many_vectors(real, size, spread):
    """Halves on disk, shape (size, WIDTH): the real vectors first, then those made around them."""
    path = settings.STATE_DIR / "vector_scale" / f"vectors_{size}.npy"
    if not path.exists():
        part = path.with_suffix(".part")
        stored = np.lib.format.open_memmap(part, "w+", np.float16, (size, WIDTH))
        stored[: len(real)] = real[:size]
        first = len(real)
        for made in made_around(real, nearest_others(real), max(0, size - len(real)), spread, 0):
            stored[first : first + len(made)] = made
            first += len(made)
        stored.flush()
        part.rename(path)
    return np.load(path, mmap_mode="r")


def load(vectors):
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {TABLE}")
        cursor.execute(f"CREATE TABLE {TABLE} (id int PRIMARY KEY, part int NOT NULL, embedding halfvec NOT NULL)")
        register_vector(connection.connection)
        with connection.connection.cursor().copy(f"COPY {TABLE} FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int4", "int4", "halfvec"])
            for number, vector in enumerate(vectors):
                copy.write_row((number, number % PARTS, HalfVector(vector)))
        cursor.execute(f"VACUUM ANALYZE {TABLE}")


def build(name, asked):
    """Build an index alone; return seconds, bytes on disk and the peak of memory."""
    began = time.perf_counter()
    with PeakMemory(database_processes) as memory, transaction.atomic(), connection.cursor() as cursor:
        # A graph that outgrows its memory is told by a notice, and is many times slower to build.
        connection.connection.add_notice_handler(lambda told: print(told.message_primary, file=sys.stderr))
        cursor.execute("DROP INDEX IF EXISTS benchmark_hnsw")
        cursor.execute(f"SET LOCAL maintenance_work_mem = '{asked.memory}'")
        cursor.execute(f"CREATE INDEX benchmark_hnsw ON {TABLE} USING hnsw ({INDEXES[name]}) WITH ({asked.graph})")
        cursor.execute("SELECT pg_relation_size('benchmark_hnsw')")
        size = cursor.fetchone()[0]
    return time.perf_counter() - began, size, memory.peak


def searched(name, where, queries, most, settings_of=""):
    """The ids found for each query, the milliseconds that each took, and those that the processor worked on average."""
    statement = STATEMENTS[name].format(where=f"WHERE {where}" if where else "")
    found, took = [], []
    with transaction.atomic(), connection.cursor() as cursor:
        session = psutil.Process(connection.connection.info.backend_pid)
        cursor.execute(f"SET LOCAL hnsw.ef_search = {min(most, MOST_LOOKED_AT)}; {settings_of}")
        for number, query in enumerate([*queries[:WARM_UP], *queries]):  # the first are asked twice: once to warm up
            values = {"q": HalfVector(query).to_text(), "most": most}
            if number == min(WARM_UP, len(queries)):
                before = worked(session)
            began = time.perf_counter()
            cursor.execute(statement, values)
            rows = [pk for (pk,) in cursor.fetchall()]
            if number >= min(WARM_UP, len(queries)):
                took.append(1000 * (time.perf_counter() - began))
                found.append(rows)
        return found, took, 1000 * (worked(session) - before) / len(queries)


def worked(process):
    """Processor seconds of a process so far, in steps of a hundredth."""
    times = process.cpu_times()
    return times.user + times.system


def restart(buffers):
    """Restart the server with so much memory of its own, "256MB" or "4GB", and load what of the table fits."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER SYSTEM SET shared_buffers = '{buffers}'")
    connection.close()
    settings.EMBEDDED_POSTGRES.stop()
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_prewarm")
        cursor.execute(
            "SELECT pg_prewarm(oid) FROM pg_class WHERE relname IN (%s, 'benchmark_hnsw') ORDER BY relkind DESC",
            [TABLE],
        )


def filter_index():
    """An ordinary index for the filters, which an exact search of a part needs and the others must not choose."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE INDEX ON {TABLE} (part)")
        cursor.execute(f"VACUUM ANALYZE {TABLE}")


def line(index, setting, name, truth, found, took, cpu, built="", disk="", memory=""):
    hits = sum(len(set(exact) & set(rows)) for exact, rows in zip(truth[name], found, strict=True))
    recall = hits / sum(len(exact) for exact in truth[name])
    times = " / ".join(f"{percentile(took, share):.1f}" for share in (0.5, 0.95))
    text = (
        f"| {index} | {setting} | {name or 'none'} | {recall:.3f} | {times} | {cpu:.1f} | {built} | {disk} | {memory} |"
    )
    print(text, file=sys.stderr, flush=True)
    return text


def postgres_lines(vectors, queries, truth, asked):
    load(vectors)
    for index in INDEXES:
        if asked.only not in (None, index):
            continue
        built, size, memory = build(index, asked)
        costs = (f"{built:.0f}", f"{size / 2**20:.0f}", f"{memory / 2**20:.0f}")
        for buffers in asked.buffers:
            restart(buffers)
            told = f", {buffers}" if len(asked.buffers) > 1 else ""
            for most in LOOKED_AT[index]:
                scan = ITERATIVE if most > MOST_LOOKED_AT else ""
                found = searched(index, "", queries, most, scan)
                yield line(index, f"{most}{', iterative scan' if scan else ''}{told}", "", truth, *found, *costs)
        yield from filtered_lines(index, told, queries, truth, costs)
    filter_index()
    conditions = {name: f"part < {len(parts)}" if name else "" for name, parts in FILTERS.items()}
    for name, condition in conditions.items():
        some = queries[:40] if name else queries[:COMPARED_WITH_ALL]
        found = searched("exact", condition, some, 40)
        yield line("no index, exact", "", name, {name: truth[name][: len(some)]}, *found)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {TABLE}")
    restart(SETTINGS["shared_buffers"])


def filtered_lines(index, buffers, queries, truth, costs):
    for name, parts in list(FILTERS.items())[1:]:
        for most in (100, 400):
            found = searched(index, f"part < {len(parts)}", queries, most, ITERATIVE)
            yield line(index, f"{most}, iterative scan{buffers}", name, truth, *found, *costs)


def lance_lines(vectors, queries, truth, indexes):
    """The lines of LanceDB's indexes, where there is a LanceDB."""
    python = os.environ.get("LECTORIUM_BENCHMARK_LANCE")
    if not python or not indexes:
        return
    folder = settings.STATE_DIR / "vector_scale"
    for name, array in {"queries": queries, "parts": np.arange(len(vectors)) % PARTS}.items():
        np.save(folder / f"{name}.npy", array)
    words = [python, str(Path(__file__).parent / "lance_index.py"), str(folder), vectors.filename, *indexes]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        for told in process.stdout:
            row = json.loads(told)
            how = ", ".join(f"{name.replace('_factor', '')} {value}" for name, value in row["how"].items() if value)
            costs = (
                f"{row['built']:.0f} ({row['worked']:.0f} CPU)",
                f"{row['bytes'] / 2**20:.0f}",
                f"{row['peak'] / 2**20:.0f}",
            )
            yield line(
                f"LanceDB {row['index']}",
                how or "as it is",
                row["filter"],
                truth,
                row["found"],
                row["ms"],
                row["cpu"],
                *costs,
            )
    if process.returncode:
        raise SystemExit("LanceDB's measurement failed; its error is above.")


def truth_of(vectors, queries):
    """The positions of the truly nearest vectors, by filter."""
    return {name: _nearest_in(vectors, queries, len(parts)) for name, parts in FILTERS.items()}


def _nearest_in(vectors, queries, parts):
    """The positions of the nearest vectors of so many parts, of each query; some vectors after the others."""
    places, cosines = [], []
    for first in range(0, len(vectors), TOGETHER):
        rows = first + np.flatnonzero(np.arange(first, min(first + TOGETHER, len(vectors))) % PARTS < parts)
        stored = vectors[rows].astype(np.float32)
        stored /= np.linalg.norm(stored, axis=1, keepdims=True)  # rounding moves the length, and so the order
        found, near = nearest_of(stored, queries.astype(np.float16).astype(np.float32), TOP)
        places.append(rows[found])
        cosines.append(near)
    order = np.argsort(-np.concatenate(cosines, 1), axis=1)[:, :TOP]
    return np.take_along_axis(np.concatenate(places, 1), order, 1).tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", type=int)
    parser.add_argument("--buffers", nargs="+", default=[SETTINGS["shared_buffers"]])
    parser.add_argument("--only", metavar="INDEX", choices=(*INDEXES, "exact", *LANCE_INDEXES))
    parser.add_argument("--memory", default="2GB", help="for building an index")
    parser.add_argument("--graph", default=graph())
    asked = parser.parse_args()
    size, before = asked.size, os.getloadavg()[0]
    call_command("migrate", verbosity=0)
    real, queries = stored("seeds", sentence_vectors), stored("questions", question_vectors)
    spread, likeness = compared(real, queries)
    vectors = many_vectors(real, size, spread)
    truth = truth_of(vectors, queries)
    own = [asked.only, asked.graph if asked.graph != graph() else None]
    title = ": ".join([f"{size:,} vectors", *(word for word in own if word)])
    lines = itertools.chain(
        postgres_lines(vectors, queries, truth, asked) if asked.only not in LANCE_INDEXES else (),
        lance_lines(vectors, queries, truth, [name for name in LANCE_INDEXES if asked.only in (None, name)]),
    )
    intro = (
        f"{min(size, len(real)):,} real vectors and {max(0, size - len(real)):,} around them with spread {spread:g}; "
        f"{len(queries)} real questions. Built with {asked.memory}. "
        f"Read by: `python -m tests.benchmarks.vector_scale {' '.join(sys.argv[1:])}`."
    )
    rows = []
    for measured in lines:
        rows.append(measured)
        load_now = f"Load average {before:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} cores."
        page = [intro, "", *COLUMNS, *rows, "", *likeness_lines(likeness, len(real) // 2), "", load_now]
        publish_part("vectors", HEAD, title, page)  # what is measured stays if the rest is stopped


def likeness_lines(likeness, count):
    """How near made vectors come to real ones."""
    yield from (
        f"How near the made vectors come to real ones, {count:,} of each: median cosine of a question's neighbours "
        f"number {', '.join(map(str, RANKS))}, and the local intrinsic dimension.",
        "",
        "| vectors | cosines | dimension |",
        "|---|---|---:|",
    )
    for name, cosines, dimension in likeness:
        yield f"| {name} | {', '.join(f'{value:.3f}' for value in cosines)} | {dimension:.1f} |"


COLUMNS = (
    f"| index | rows looked at, or its setting | filter | recall@{TOP} | p50 / p95 ms | CPU ms | build, s | index, MB "
    "| peak memory, MB |",
    "|---|---|---|---:|---|---:|---:|---:|---:|",
)
HEAD = f"""## Vector indexes by size

A made vector is a real sentence's vector moved along the differences to {MIXED} of its {NEAREST} nearest real ones. The
spread is the one whose vectors are as near to real questions as real vectors are (the table below each size). Graphs:
{graph()}, unless a part's title names others. Rows looked at: `hnsw.ef_search`, or how many candidates by bits are
ranked again by their halves. CPU: processor time of a query on average, which other work on the machine lengthens less.
Exact searches: the first 10 questions, 40 with a filter. Peak memory is that of all the database's processes while the
index is built, or of LanceDB's process. Parts with the same table of nearness have the same vectors."""


if __name__ == "__main__":
    main()
