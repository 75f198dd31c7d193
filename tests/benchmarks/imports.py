"""What it costs to import real corpora, and that memory does not grow with their size.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.imports

writes docs/results/import.md. Needs LECTORIUM_DATA and an empty state folder; nothing is embedded. Each corpus is
imported by a process of its own, so that its peak memory is its own.
"""

import json
import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
from django.conf import settings
from django.core.management import call_command

django.setup()

from corpus.services import collection_ensure, sources_import
from evaluation.results import publish
from evaluation.retrieval.meetings import converted

SOURCES = {
    "lectures": ("lectures",),
    "King James Bible": ("works/kjv",),
    "Bhagavad-gītā": ("works/gita",),
    "2Wiki passages (BEIR)": ("qa/2wiki_passages",),
}
QMSUM = ("qa/qmsum/train.jsonl", "qa/qmsum/val.jsonl")
TIMES_LARGER = 4  # the second size of the memory test


def one_import(collection, path):
    """Import a path in this process and print what it took as JSON."""
    resource_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    began = time.perf_counter()
    report = sources_import(paths=[Path(path)], collection=collection_ensure(key=collection))
    seconds = time.perf_counter() - began
    said = {
        "sources": len(report.outcomes),
        "refused": len(report.refused),
        "chunks": report.chunks,
        "seconds": seconds,
        "before": resource_before,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(json.dumps(said))


def measured(collection, path):
    """Return what one import took, measured in a fresh process."""
    command = [sys.executable, "-m", "tests.benchmarks.imports", collection, str(path)]
    done = subprocess.run(command, cwd=settings.BASE_DIR, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def larger(source, folder):
    """Write the passages of `source` several times over, under ids of their own."""
    folder.mkdir()
    records = [json.loads(line) for line in (source / "corpus.jsonl").open(encoding="utf-8")]
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as out:
        for copy in range(TIMES_LARGER):
            for record in records:
                key = record.get("_id", record.get("id"))
                out.write(json.dumps({**record, "_id": f"{key}-{copy}"}) + "\n")
    return folder


def row(name, said):
    rate = said["chunks"] / said["seconds"]
    return (
        f"| {name} | {said['sources']:,} | {said['refused']} | {said['chunks']:,} | {said['seconds']:.1f} "
        f"| {rate:,.0f} | {said['peak']} |"
    )


def main():
    call_command("migrate", verbosity=0)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        meetings, turns = converted([settings.DATA_DIR / name for name in QMSUM], folder / "qmsum")
        paths = {name: settings.DATA_DIR / parts[0] for name, parts in SOURCES.items()}
        paths[f"QMSum ({meetings} meetings, {turns:,} turns)"] = folder / "qmsum"
        rows = {name: measured(f"c{n}", path) for n, (name, path) in enumerate(paths.items())}
        again = {name: measured(f"c{n}", path) for n, (name, path) in enumerate(paths.items())}
        small = rows["2Wiki passages (BEIR)"]
        large = measured("large", larger(paths["2Wiki passages (BEIR)"], folder / "large"))
    lines = [
        "## Importing",
        "",
        f"Every corpus in a process of its own, on {os.cpu_count()} shared {platform.machine()} cores, from an "
        "empty database, without embedding. Read by: `python -m tests.benchmarks.imports`.",
        "",
        "| corpus | sources | refused | chunks | seconds | chunks/s | peak MB |",
        "|---|---|---|---|---|---|---|",
        *(row(name, said) for name, said in rows.items()),
        row(f"2Wiki passages, {TIMES_LARGER} times over", large),
        "",
        "Again, unchanged: " + ", ".join(f"{name} {said['seconds']:.1f} s" for name, said in again.items()) + ".",
        "",
        f"Memory: {small['peak']} MB for {small['chunks']:,} chunks and {large['peak']} MB for {large['chunks']:,}, "
        f"{small['before']} MB of both before the first file is opened; the database is not counted. "
        f"Load of the machine, averaged over the last 5 minutes: {os.getloadavg()[1]:.1f}.",
    ]
    print(publish("import", lines))


if __name__ == "__main__":
    one_import(*sys.argv[1:]) if len(sys.argv) > 1 else main()
