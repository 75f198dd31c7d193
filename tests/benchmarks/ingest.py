"""How fast real corpora become searchable, from file to vector, beside the bare embedder on the same texts.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.ingest

writes docs/results/ingest.md. Needs LECTORIUM_DATA and an empty state folder. Names, such as kjv gita, take only those
corpora; `--most 400` takes that many lectures, passages or verses of each, evenly drawn.

Processor time is compared, of this process and of the database's, with models on one thread: beside other work the
clock says little, and where models use every core, other work takes theirs. The bare embedder gets each distinct text
that is embedded, of chunks and of sentences, once, sorted by length: up to 1,024 of them, evenly drawn.
"""

import argparse
import json
import os
import resource
import time
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ["LECTORIUM_MODEL_THREADS"] = "1"

import django
from django.conf import settings
from django.core.management import call_command

django.setup()

from corpus.domain.text.sentences import sentence_spans
from corpus.importers.discovery import TABLES
from corpus.indexing.duplicates import duplicates_link
from corpus.indexing.embedding import embed_changed
from corpus.models import Chunk
from corpus.selectors import corpus_fingerprint
from evaluation.results import publish
from evaluation.retrieval.meetings import converted
from lectorium.providers.registry import embedder
from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder
from tests.benchmarks.turn_speed import ModelTime, database_cpu

BARE_TEXTS = 1024
GOAL = 0.8
CORPORA = {
    "vivekananda": ("import_lectures", ("lectures/vivekananda",)),
    "james": ("import_lectures", ("lectures/william_james",)),
    "kjv": ("import_works", ("works/kjv",)),
    "gita": ("import_works", ("works/gita",)),
    "2wiki": ("import_lectures", ("qa/2wiki_passages",)),
    "qmsum": ("import_lectures", ("qa/qmsum/train.jsonl", "qa/qmsum/val.jsonl")),
}


def cpu():
    """Return the processor seconds of this process and of the database so far."""
    return time.process_time() + database_cpu()


def seconds_of(work):
    """Return the processor seconds that `work` takes, and its result."""
    began = cpu()
    result = work()
    return cpu() - began, result


def imported(name, paths):
    return seconds_of(lambda: call_command(name, *map(str, paths), stdout=StringIO(), stderr=StringIO(), verbosity=0))[
        0
    ]


def texts_of(chunks):
    """Return the distinct texts embedded of these chunks and of their sentences."""
    whole = set(chunks.values_list("text", flat=True))
    return whole | {text[slice(*span)] for text in whole for span in sentence_spans(text)}


def bare_seconds(texts):
    """Return the processor seconds of the embedder alone on these texts, reckoned from some evenly spaced by length."""
    ordered = sorted(texts, key=len, reverse=True)
    some = ordered[:: -(-len(ordered) // BARE_TEXTS)]
    took, _ = seconds_of(lambda: embedder().embed_passages(some))
    return took * len(ordered) / len(some)


def drawn(source, most, folder):
    """Write `most` lectures, passages or verses of `source`, evenly drawn, into the folder, and what describes them."""
    folder.mkdir()
    for file in [*source.glob("*.jsonl"), *source.glob("*.json")]:
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        if file.name in TABLES:
            keys = [json.loads(line).get("lecture", at) for at, line in enumerate(lines)]
            distinct = list(dict.fromkeys(keys))
            kept = set(distinct[:: -(-len(distinct) // most)])
            lines = [line for line, key in zip(lines, keys, strict=True) if key in kept]
        (folder / file.name).write_text("".join(lines), encoding="utf-8")
    return folder


def one_corpus(name, folder, most, models):
    """Import, link and embed a corpus, and embed it bare; return its line, its chunks, its seconds and bare seconds."""
    command, places = CORPORA[name]
    paths = [settings.DATA_DIR / place for place in places]
    if name == "qmsum":
        converted(paths, folder / name)
        paths = [folder / name]
    if most:
        paths = [drawn(path, most, folder / "drawn") for path in paths]
    before = set(Chunk.objects.values_list("pk", flat=True))
    importing = imported(command, paths)
    linking, _ = seconds_of(duplicates_link)
    modelled = models.cpu
    embedding, _ = seconds_of(lambda: call_command("index", stdout=StringIO(), verbosity=0))
    modelled = models.cpu - modelled
    chunks = Chunk.objects.exclude(pk__in=before) if before else Chunk.objects.all()
    count, duplicates = chunks.count(), chunks.filter(duplicate_of__isnull=False).count()
    texts = texts_of(chunks)
    bare = bare_seconds(texts)
    again = imported(command, paths)
    seconds = importing + linking + embedding
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    took = " | ".join(f"{figure:.1f}" for figure in (importing, linking, embedding, modelled, bare, again))
    line = f"| {name} | {count:,} | {len(texts):,} | {duplicates:,} | {took} | {bare / seconds:.2f} "
    line += f"| {modelled / seconds:.2f} | {peak} |"
    return line, count, seconds, bare


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=[*CORPORA])
    parser.add_argument("--most", type=int, default=0)
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    embedder().embed_passages(["The first call loads the model."])
    embedder().token_spans("And its tokenizer.")
    models, lines, totals = ModelTime(), [], [0, 0.0, 0.0]
    models.watch(SentenceTransformersEmbedder, "embed_passages")
    for name in asked.names:
        with TemporaryDirectory() as folder:
            line, *sums = one_corpus(name, Path(folder), asked.most, models)
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
        f"All: {corpus_fingerprint()}. {count / seconds:.0f} chunks a second of one core, {share:.2f} of the bare "
        f"embedder; goal at least {GOAL}: {verdict}. Indexing again: {again.seconds:.1f} s for "
        f"{again.embedded} chunks. Load of the machine, averaged over the last 5 minutes: {os.getloadavg()[1]:.1f}.",
    ]))  # fmt: skip


HEAD = (
    "## Importing and indexing",
    "",
    "One corpus after another into one database that was empty. Seconds of processor time, of the process and of the "
    "database: to import, to link near-duplicates, to embed and store, and what of that the model takes; of the bare "
    "embedder on the same texts (chunks and sentences, each distinct one once) afterwards; and to import again what "
    "has not changed. *Share*: of the bare embedder's pace, from file to vector. *Model's part*: of the processor time "
    "from file to vector, which says the same and varies less with other work on the machine. Peak memory is the "
    "process's until then, the database not counted. Read by: `python -m tests.benchmarks.ingest`.",
    "",
    "| corpus | chunks | texts | duplicates | import s | link s | embed s | of it, model s | bare s | again s | share "
    "| model's part | peak MB |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
)

if __name__ == "__main__":
    main()
