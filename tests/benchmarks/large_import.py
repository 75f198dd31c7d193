"""Import of very many passages: time, memory, a kill in the middle, near-copies, and the lexical lane over them.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.large_import 1000000

writes a part of docs/results/large_import.md, and one of lexical.md. Needs LECTORIUM_DATA and an empty state folder;
nothing is embedded. A passage is made of real sentences drawn together (tests/benchmarks/real_sentences.py), seed 0, so
that all differ; one in COPIED is an earlier one with a word changed, which the search for near-copies should find. The
import runs as `manage.py import_sources`, is killed once a third is stored, and started again.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django

django.setup()

import psutil
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from corpus.indexing.duplicates import duplicates_link
from corpus.indexing.terms import refresh_terms
from corpus.models import Chunk, Lecture
from evaluation.results import publish_part
from tests.benchmarks.lexical_speed import lane_line
from tests.benchmarks.peak_memory import PeakMemory, database_processes
from tests.benchmarks.real_sentences import real_sentences

SENTENCES = range(3, 8)  # in a passage
COPIED = 100
IN_A_FILE = 250_000  # passages
COLUMNS = (
    "| step | passages | seconds | passages/s | memory at most, MB | the database's, MB |",
    "|---|---:|---:|---:|---:|---:|",
)
HEAD = """## Importing very many passages

Each passage is a source of its own, of three to seven real sentences drawn together, as in a corpus of encyclopedia
passages; one in a hundred is an earlier one with a word changed. Nothing is embedded. Memory: proportional set size of
the process, and of all processes of the database, which has its default settings."""


def write_passages(folder, size):
    """Write so many passages as corpora of BEIR; return the files and how many passages are near-copies."""
    sentences, draw, earlier, files, copies = real_sentences(200_000), random.Random(0), [], [], 0
    for first in range(0, size, IN_A_FILE):
        files.append(folder / f"passages-{first}.jsonl")
        with files[-1].open("w", encoding="utf-8") as out:
            for number in range(first, min(first + IN_A_FILE, size)):
                if number % COPIED == COPIED - 1:
                    words = draw.choice(earlier).split(" ")
                    words[len(words) // 2] = "otherwise"
                    text, copies = " ".join(words), copies + 1
                else:
                    text = " ".join(draw.sample(sentences, draw.choice(SENTENCES)))
                    if number % COPIED == 0:
                        earlier.append(text)
                out.write(json.dumps({"_id": f"p{number}", "title": f"Passage {number}", "text": text}) + "\n")
    return files, copies


@contextmanager
def measured(process):
    """A list that has at the block's end what it took: seconds, bytes of the process, bytes of the database."""
    cost, began = [], time.perf_counter()
    with PeakMemory(lambda: [process]) as own, PeakMemory(database_processes) as database:
        yield cost
    cost += [time.perf_counter() - began, own.peak, database.peak]


def imported(files, until=None):
    """Import the files in a process of its own, killed once `until` passages are stored; return what it took."""
    log = files[0].with_suffix(".log")
    words = [sys.executable, "manage.py", "import_sources", *map(str, files)]
    with log.open("ab") as out:
        process = subprocess.Popen(words, cwd=settings.BASE_DIR, stdout=out, stderr=subprocess.STDOUT)
    with measured(psutil.Process(process.pid)) as cost:
        while until and process.poll() is None and Lecture.objects.count() < until:
            with suppress(subprocess.TimeoutExpired):
                process.wait(1)
        if until:
            process.send_signal(signal.SIGKILL)
        process.wait()
    if process.returncode != (-signal.SIGKILL if until else 0):
        raise SystemExit(f"The import ended with {process.returncode}; see {log}.")
    return cost


def here(step):
    """Run a step in this process; return what it returned and what it took."""
    with measured(psutil.Process()) as cost:
        found = step()
    return found, cost


def row(step, passages, cost):
    seconds, own, database = cost
    memory = f"{own / 2**20:,.0f} | {database / 2**20:,.0f}"
    print(line := f"| {step} | {passages:,} | {seconds:,.0f} | {passages / seconds:,.0f} | {memory} |", flush=True)
    return line


def main():
    size = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    files, copies = write_passages(settings.STATE_DIR, size)
    rows = []
    cost = imported(files, until=size // 3)
    before = Lecture.objects.count()
    rows.append(row("import, killed", before, cost))
    cost = imported(files)
    rows.append(row("started again: the rest", Lecture.objects.count() - before, cost))
    rows.append(row("again, unchanged", size, imported(files)))
    compared, cost = here(duplicates_link)
    rows.append(row("near-copies", compared, cost))
    terms, cost = here(refresh_terms)
    rows.append(row(f"counting {terms:,} words", size, cost))
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM ANALYZE {Chunk._meta.db_table}")
        cursor.execute("SELECT pg_database_size(current_database())")
        disk = cursor.fetchone()[0] / 2**30
    found = Chunk.objects.filter(duplicate_of__isnull=False).count()
    facts = (
        f"{Lecture.objects.count():,} sources, {Chunk.objects.count():,} chunks; {disk:.1f} GB of database. "
        f"{found:,} of {copies:,} near-copies found. "
        f"Load average {os.getloadavg()[0]:.1f} after. Read by: `python -m tests.benchmarks.large_import {size}`."
    )
    publish_part("large_import", HEAD, f"{size:,} passages", [*COLUMNS, *rows, "", facts])
    title = f"{size:,} passages of drawn sentences, imported"
    publish_part("lexical", "## The lexical lane over many passages", title, [lane_line("large_import", size)])


if __name__ == "__main__":
    main()
