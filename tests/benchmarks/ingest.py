"""How fast real corpora become searchable, from file to vector, beside the bare embedder on the same chunks.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.ingest

writes docs/results/ingest.md. Needs LECTORIUM_DATA and an empty state folder. Names, such as kjv gita, take only those
corpora.
"""

import os
import resource
import sys
import time
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
from django.conf import settings
from django.core.management import call_command

django.setup()

from corpus.indexing.duplicates import duplicates_link
from corpus.indexing.embedding import embed_changed
from corpus.models import Chunk
from corpus.selectors import corpus_fingerprint
from evaluation.results import publish
from evaluation.retrieval.meetings import converted
from lectorium.providers.registry import embedder

BARE_CHUNKS = 4096
GOAL = 0.8
CORPORA = {
    "lectures": ("import_lectures", ("lectures/vivekananda", "lectures/william_james")),
    "kjv": ("import_works", ("works/kjv",)),
    "gita": ("import_works", ("works/gita",)),
    "2wiki": ("import_lectures", ("qa/2wiki_passages",)),
    "qmsum": ("import_lectures", ("qa/qmsum/train.jsonl", "qa/qmsum/val.jsonl")),
}


def timed(name, *arguments):
    """Return a command's seconds and the first line it says."""
    out, began = StringIO(), time.perf_counter()
    call_command(name, *arguments, stdout=out, stderr=StringIO())
    return time.perf_counter() - began, out.getvalue().splitlines()[0]


def linked():
    """Return the seconds that comparing what is new for near-duplicates takes."""
    began = time.perf_counter()
    duplicates_link()
    return time.perf_counter() - began


def bare_rate(chunks):
    """Return chunks per second of the embedder alone, on these chunks evenly spaced by length, longest first."""
    texts = sorted(chunks.values_list("text", flat=True), key=len, reverse=True)
    texts = texts[:: max(1, len(texts) // BARE_CHUNKS)]
    embedder().embed_passages(texts[:64])
    began = time.perf_counter()
    for start in range(0, len(texts), 256):
        embedder().embed_passages(texts[start : start + 256])
    return len(texts) / (time.perf_counter() - began)


def one_corpus(name, folder):
    """Import, link and embed a corpus, and embed it bare; return its line, its chunks, its seconds and bare seconds."""
    command, places = CORPORA[name]
    paths = [settings.DATA_DIR / place for place in places]
    if name == "qmsum":
        converted(paths, folder)
        paths = [folder]
    before = set(Chunk.objects.values_list("pk", flat=True))
    importing, _ = timed(command, *map(str, paths))
    linking, report = linked(), embed_changed()
    chunks = Chunk.objects.exclude(pk__in=before) if before else Chunk.objects.all()
    count, duplicates = report.embedded, chunks.filter(duplicate_of__isnull=False).count()
    bare = count / bare_rate(chunks)
    again, _ = timed(command, *map(str, paths))
    seconds = importing + linking + report.seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    took = " | ".join(f"{figure:.1f}" for figure in (importing, linking, report.seconds, bare, again))
    rate = f"{count / seconds:.0f} | {bare / seconds:.2f} | {peak}"
    return f"| {name} | {count:,} | {duplicates:,} | {took} | {rate} |", count, seconds, bare


def main():
    call_command("migrate", verbosity=0)
    embedder().embed_passages(["The first call loads the model."])
    lines, totals = [], [0, 0.0, 0.0]
    for name in sys.argv[1:] or CORPORA:
        with TemporaryDirectory() as folder:
            line, *sums = one_corpus(name, Path(folder))
        lines.append(line)
        totals = [total + figure for total, figure in zip(totals, sums, strict=True)]
    count, seconds, bare = totals
    again = embed_changed()
    share = bare / seconds
    verdict = "met" if share >= GOAL else "missed"
    print(publish("ingest", [
        *HEAD,
        *lines,
        "",
        f"All: {corpus_fingerprint()}. {count / seconds:.0f} chunks a second, {share:.2f} of the bare embedder; goal "
        f"at least {GOAL}: {verdict}. Indexing again: {again.seconds:.1f} s for {again.embedded} chunks. Load of the "
        f"machine, averaged over the last 5 minutes: {os.getloadavg()[1]:.1f}.",
    ]))  # fmt: skip


HEAD = (
    "## Importing and indexing",
    "",
    "One corpus after another into one database that was empty, on two shared cores. Seconds to import, to link "
    "near-duplicates, to embed and store; of the bare embedder on the same chunks, in the same run; and to import "
    "again what has not changed. *Share*: of the bare embedder's chunks a second, from file to vector. Peak memory is "
    "the process's until then, the database not counted. Read by: `python -m tests.benchmarks.ingest`.",
    "",
    "| corpus | chunks | duplicates | import s | link s | embed s | bare s | again s | chunks/s | share | peak MB |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
)

if __name__ == "__main__":
    main()
