"""How fast real lectures and the King James Bible become searchable, beside the bare embedder in the same run.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.ingest

writes docs/results/ingest.md. Needs LECTORIUM_DATA and an empty state folder.
"""

import os
import resource
import time
from io import StringIO

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
from django.conf import settings
from django.core.management import call_command

django.setup()

from audit.results import publish
from corpus.indexing import embed_changed
from corpus.models import Chunk
from corpus.selectors import corpus_fingerprint
from lectorium.providers.registry import embedder

BARE_CHUNKS = 4096
LECTURES = ("lectures/vivekananda", "lectures/william_james")
WORKS = ("works/kjv",)


def timed(name, *arguments):
    out, began = StringIO(), time.perf_counter()
    call_command(name, *arguments, stdout=out, stderr=StringIO())
    return time.perf_counter() - began, out.getvalue().splitlines()[0]


def bare_rate():
    """Return chunks per second of the embedder alone, on chunks evenly spaced by length, longest first."""
    texts = sorted(Chunk.objects.values_list("text", flat=True), key=len, reverse=True)
    texts = texts[:: max(1, len(texts) // BARE_CHUNKS)]
    embedder().embed_passages(texts[:64])
    began = time.perf_counter()
    for start in range(0, len(texts), 256):
        embedder().embed_passages(texts[start : start + 256])
    return len(texts) / (time.perf_counter() - began)


def main():
    call_command("migrate", verbosity=0)
    lectures = [str(settings.DATA_DIR / name) for name in LECTURES]
    works = [str(settings.DATA_DIR / name) for name in WORKS]
    rows = [("import lectures", *timed("import_lectures", *lectures))]
    rows.append(("import King James", *timed("import_works", *works)))
    report = embed_changed()
    rate = report.embedded / report.seconds
    bare = bare_rate()
    rows.append(("index", report.seconds, f"{report.embedded:,} chunks · {rate:.0f} chunks/s"))
    rows.append(("import lectures again", *timed("import_lectures", *lectures)))
    rows.append(("import King James again", *timed("import_works", *works)))
    again = embed_changed()
    rows.append(("index again", again.seconds, f"{again.embedded} chunks"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    lines = [
        "## Importing and indexing",
        "",
        f"{corpus_fingerprint()}, on 2 shared cores, from an empty database. "
        "Read by: `python -m tests.benchmarks.ingest`.",
        "",
        "| step | seconds | said |",
        "|---|---|---|",
        *(f"| {name} | {seconds:.1f} | {said} |" for name, seconds, said in rows),
        "",
        f"Bare embedder in the same run: {bare:.0f} chunks/s, so embedding and storing run at {rate / bare:.2f} of it. "
        f"Peak memory {peak} MB, database not counted.",
    ]
    print(publish("ingest", lines))


if __name__ == "__main__":
    main()
