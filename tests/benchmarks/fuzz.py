"""Thousands of damaged, oddly filled and harmful files through every importer into the database: what became of them.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.fuzz [FILES]

writes docs/results/fuzz.md. Needs an empty state folder; fails where an importer crashes, a refusal cannot be read, or
a source is stored in part. A stand-in embedder counts the tokens.
"""

import os
import random
import re
import resource
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
from django.conf import settings
from django.core.management import call_command

django.setup()

from corpus.models import Chunk, Collection, Lecture, Work
from corpus.services import collection_ensure, sources_import
from evaluation.results import publish
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from tests.corpus.damage import BOMBS, GOOD, damaged, filled, naughty
from tests.corpus.large import HOSTILE, repeated
from tests.corpus.soundness import readable, taken

SEED, FILES = 4, 3000
IMPORTERS = {
    "a.txt": "plain text", "a.md": "Markdown", "a.vtt": "WebVTT", "a.srt": "SubRip", "a.pdf": "PDF", "a.zip": "ZIP",
    "b.zip": "ZIP", "l.zip": "ZIP", "a.db": "SQLite library", "a.wav": "recording",
    "paragraphs.jsonl": "JSONL of paragraphs",
    "corpus.jsonl": "JSONL of passages (BEIR)", "verses.jsonl": "JSONL of verses",
    "paragraphs.json": "JSON", "passages.json": "JSON", "verses.json": "JSON",
}  # fmt: skip
MOST_SHOWN = 40
SMALL, TIMES = 40_000, 8  # bytes of a file, and of one TIMES as large
FASTEST, STEEPEST = 0.2, 3  # CPU seconds below which growth is noise; how much faster than its size the time may grow
REPEATED = 40  # files of a random unit, repeated
_PARTICULAR = re.compile(r"""(?<=has the date ).*(?=; write)|'[^']*'|"[^"]*"|\([^()]*\)|\d+(?:\.\d+)*""")


@dataclass
class Fate:
    """What became of the files of one importer."""

    files: int = 0
    stored: int = 0
    refused: int = 0
    slowest: float = 0.0
    said: Counter[str] = field(default_factory=Counter)


def made(chance):
    """Return a file's name, its importer and its bytes: damaged, filled oddly, or under another's name."""
    name = chance.choice(sorted(GOOD))
    ways = {"damaged": 5, "filled": 4, "misnamed": 1}
    (way,) = chance.choices(list(ways), ways.values())
    texts = naughty()
    if way == "filled":
        return name, filled(name, chance, texts)
    content = GOOD[chance.choice(sorted(GOOD))] if way == "misnamed" else GOOD[name]
    return name, damaged(content, chance, texts)


def imported(path, collection, fate):
    """Import one file by the product's own service, and hold it to its report; then forget what it stored."""
    began = time.process_time()  # of this program: the machine may be shared
    taken(path.parent)  # raises what an importer raises, and checks each draft
    report = sources_import(paths=[path.parent], collection=collection)
    fate.slowest = max(fate.slowest, time.process_time() - began)
    fate.files += 1
    fate.stored += any(outcome.state != "refused" for outcome in report.outcomes)
    fate.refused += any(outcome.state == "refused" for outcome in report.outcomes)
    for refusal in report.refused:
        readable(refusal.source, refusal.problem)
        assert "importer fail" not in refusal.problem, refusal
        said = refusal.problem.replace(str(path.parent), "")
        fate.said[_PARTICULAR.sub("…", said)] += 1
    _whole(report, collection)
    for model in (Lecture, Work):
        model.objects.filter(collection=collection).delete()


def _whole(report, collection):
    """Nothing is stored that the report does not tell of, and everything stored is whole."""
    chunks = Chunk.objects.filter(collection=collection).count()
    assert sum(outcome.chunks for outcome in report.outcomes) == chunks, report
    for lecture in Lecture.objects.filter(collection=collection):
        assert lecture.waits_for_transcript or (lecture.sections.exists() and lecture.chunks.exists()), report
    for work in Work.objects.filter(collection=collection):
        assert work.sections.exists(), report
        assert work.chunks.exists(), report


def fuzz(number):
    """Return the fate of the files by importer; the bombs' come last."""
    chance, fates = random.Random(SEED), defaultdict(Fate)
    collection = collection_ensure(key="fuzz")
    files = [(IMPORTERS[name], name, data) for name, data in (made(chance) for _ in range(number))]
    files += [("made to do harm", name, make()) for name, make in BOMBS.items()]
    for count, (importer, name, data) in enumerate(files, start=1):
        with TemporaryDirectory() as folder:
            settings.MEDIA_ROOT = Path(folder) / "media"
            path = Path(folder) / "in" / name
            path.parent.mkdir()
            path.write_bytes(data)
            try:
                imported(path, collection, fates[importer])
            except Exception as error:
                error.add_note(f"{importer}, file {count} of seed {SEED}: {data[:2000]!r}")
                raise
        print(f"\r{count} of {len(files)}", end="", file=sys.stderr)
    assert not Chunk.objects.filter(collection=collection).exists()
    Collection.objects.filter(pk=collection.pk).delete()
    return fates


def growth(number):
    """Yield (name, CPU seconds of a small file, of a large one). Fails where time grows much faster than size."""
    chance = random.Random(SEED)
    makers = dict(HOSTILE)
    for count in range(number):
        name, maker = repeated(chance, naughty())
        makers[f"repeated/{count}/{name}"] = maker
    collection = collection_ensure(key="growth")
    for name, make in makers.items():
        seconds = [cpu_of(name, make(size), collection) for size in (SMALL, TIMES * SMALL)]
        assert seconds[1] <= STEEPEST * TIMES * max(seconds[0], FASTEST / TIMES), (name, seconds)
        print(f"\r{name:60}", end="", file=sys.stderr)
        yield name, *seconds
    Collection.objects.filter(pk=collection.pk).delete()


def cpu_of(name, data, collection):
    """CPU seconds that a file takes to be previewed; nothing is stored."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "in" / Path(name).name
        path.parent.mkdir()
        path.write_bytes(data)
        began = time.process_time()
        report = sources_import(paths=[path.parent], collection=collection, keep=False)
        for refusal in report.refused:
            readable(refusal.source, refusal.problem)
            assert "importer fail" not in refusal.problem, refusal
        assert not Chunk.objects.filter(collection=collection).exists()
        return time.process_time() - began


def row(importer, fate):
    return f"| {importer} | {fate.files:,} | {fate.stored:,} | {fate.refused:,} | {1000 * fate.slowest:,.0f} |"


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else FILES
    call_command("migrate", verbosity=0)
    registry.replace_model("embedder", HashingEmbedder())
    began = time.perf_counter()
    fates = fuzz(wanted)
    grown = list(growth(REPEATED))
    slowest = sorted(grown, key=lambda each: -each[2])[:MOST_SHOWN]
    said = sum((fate.said for fate in fates.values()), Counter())
    texts = len(naughty())
    lines = [
        "## Files of every kind, damaged",
        "",
        f"{wanted:,} files (seed {SEED}): good ones cut, flipped, wedged, doubled, filled with noise or encoded "
        f"otherwise, files of the right form with odd values ({texts:,} naughty strings among them), files under "
        f"another's name; and {len(BOMBS)} made to do harm: bombs, loops, endless lines and queries. Each was imported "
        "into the database; the program fails where an importer crashes, a refusal is no readable sentence, or a "
        "source is stored in part. A file of several sources can be both stored and refused. "
        "Read by: `python -m tests.benchmarks.fuzz`.",
        "",
        "| importer | files | stored | refused | slowest, CPU ms |",
        "|---|---|---|---|---|",
        *(row(importer, fates[importer]) for importer in (*sorted(set(IMPORTERS.values())), "made to do harm")),
        "",
        f"Sizes: {len(grown)} files of {SMALL // 1000} KB and of {TIMES} times as much, made of one costly unit or of "
        f"a naughty string, repeated. The program fails where one of over {1000 * FASTEST:.0f} ms takes more than "
        f"{STEEPEST * TIMES} times as long. The slowest:",
        "",
        f"| file | CPU ms | {TIMES} times as large |",
        "|---|---|---|",
        *(f"| {name} | {1000 * small:,.0f} | {1000 * large:,.0f} |" for name, small, large in slowest),
        "",
        f"Crashes: 0. Half-stored sources: 0. {said.total():,} refusals in {len(said)} sentences (particulars as …):",
        "",
        "| refusals | sentence |",
        "|---|---|",
        *(f"| {number:,} | {sentence.replace('|', '/')} |" for sentence, number in said.most_common(MOST_SHOWN)),
        "",
        f"Peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB; took "
        f"{time.perf_counter() - began:.0f} s at a load of {os.getloadavg()[1]:.1f}.",
    ]
    print(publish("fuzz", lines))


if __name__ == "__main__":
    main()
