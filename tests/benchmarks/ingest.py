"""How fast real lectures and the King James Bible become searchable, beside the bare embedder in the same run.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.ingest

writes docs/results/ingest.md. Needs LECTORIUM_DATA and an empty state folder. A number, such as 6000, takes only so
many verses, from the first on.
"""

import os
import resource
import shutil
import sys
import time
from io import StringIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
from django.conf import settings
from django.core.management import call_command

django.setup()

from audit.results import publish
from corpus.duplicates import duplicates_link
from corpus.indexing import embed_changed
from corpus.models import Chunk
from corpus.selectors import corpus_fingerprint
from lectorium.providers.registry import embedder

BARE_CHUNKS = 4096
LECTURES = ("lectures/vivekananda", "lectures/william_james")
WORK = "works/kjv"


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


def verses(count, folder):
    """Write the first verses of the Bible into the folder and return it; the whole Bible where count is 0."""
    source = settings.DATA_DIR / WORK
    if not count:
        return source
    shutil.copy(source / "SOURCE.md", folder)
    with (source / "verses.jsonl").open(encoding="utf-8") as lines:
        (folder / "verses.jsonl").write_text("".join(islice(lines, count)), encoding="utf-8")
    return folder


def main():
    with TemporaryDirectory() as folder:
        measure(str(verses(int(sys.argv[1]) if len(sys.argv) > 1 else 0, Path(folder))))


def measure(work):
    call_command("migrate", verbosity=0)
    lectures = [str(settings.DATA_DIR / name) for name in LECTURES]
    rows = [("import lectures", *timed("import_lectures", *lectures))]
    rows.append(("import King James", *timed("import_works", work)))
    began = time.perf_counter()
    linked = duplicates_link()
    seconds = time.perf_counter() - began
    duplicates = Chunk.objects.filter(duplicate_of__isnull=False).count()
    said = f"{linked:,} chunks compared, {duplicates:,} linked · {linked / seconds:,.0f} chunks/s"
    rows.append(("link near-duplicates", seconds, said))
    report = embed_changed()
    rate = report.embedded / report.seconds
    bare = bare_rate()
    rows.append(("embed", report.seconds, f"{report.embedded:,} chunks · {rate:.0f} chunks/s"))
    rows.append(("import lectures again", *timed("import_lectures", *lectures)))
    rows.append(("import King James again", *timed("import_works", work)))
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
        f"Peak memory {peak} MB, database not counted. "
        f"Load of the machine, averaged over the last 5 minutes: {os.getloadavg()[1]:.1f}.",
    ]
    print(publish("ingest", lines))


if __name__ == "__main__":
    main()
