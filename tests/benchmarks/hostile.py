"""What files and questions cost that are allowed but meant badly: CPU seconds and peak memory of each.

    LECTORIUM_STATE=STATE .venv/bin/python -m tests.benchmarks.hostile files|questions [NAME or SURFACE…]
    LECTORIUM_STATE=STATE .venv/bin/python -m tests.benchmarks.hostile report [BEFORE.jsonl]

measure, add a line for each to STATE/hostile.jsonl, and write docs/results/hostile.md from them, beside the figures of
an earlier revision if given. Needs a state that `manage.py prepare` filled. A file is previewed, as an upload is before
anything is stored, in a process of its own that is ended after SECONDS of CPU or at MEMORY. The CPU of the database is
that of all its processes.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ["LECTORIUM_ANSWER_CACHE"] = "0"

import django
from django.conf import settings

django.setup()

from django.contrib.auth import get_user_model
from django.test import AsyncClient

from chat.api.services import token_create
from corpus.models import Chunk
from corpus.services import collection_ensure, sources_import
from evaluation.results import publish
from lectorium.asking import ask
from lectorium.providers import registry
from lectorium.threads import in_thread
from tests.benchmarks.odd_questions import QUESTIONS
from tests.corpus.large import HOSTILE

SECONDS, MEMORY = 60, 3 << 30
# In the sizes that a reviewer tried; every other file in SIZE_MB.
TRIED = {"expanding.txt": 2.8, "no_stops.txt": 2, "stops_without_ends.txt": 2, "captions.vtt": 62, "library.zip": 2,
         "works.db": 1.3}  # fmt: skip
SIZE_MB = 1
GOAL_S = 3.0  # of CPU for a question
SURFACES = ("search page", "ask", "API ask", "API search")
USER = "hostile-benchmark"


def figures():
    return settings.STATE_DIR / "hostile.jsonl"


def keep(**measured):
    print(json.dumps(measured, ensure_ascii=False), flush=True)
    with figures().open("a", encoding="utf-8") as out:
        out.write(json.dumps(measured, ensure_ascii=False) + "\n")


def database_cpu():
    """CPU seconds of the embedded server and all its processes so far."""
    server = int((settings.STATE_DIR / "postgres/data/postmaster.pid").read_text().split()[0])
    ticks = 0
    for folder in (path.name for path in Path("/proc").iterdir() if path.name.isdigit()):
        try:
            values = Path(f"/proc/{folder}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(folder) == server:
            ticks += sum(map(int, values[11:15]))
        elif int(values[1]) == server:
            ticks += sum(map(int, values[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def counted(seconds):
    """Fill in {"cpu", "database"} with what the block takes."""
    cpu, database = time.process_time(), database_cpu()
    yield
    seconds |= {"cpu": time.process_time() - cpu, "database": database_cpu() - database}


def files(names):
    for name in names or HOSTILE:
        size = TRIED.get(name, SIZE_MB)
        with TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(HOSTILE[name](int(size * 1_000_000)))
            keep(kind="file", name=name, mb=path.stat().st_size / 1_000_000, **_limited(path.parent))


def _limited(folder):
    """What the import of a folder took in a process with limits."""
    before = database_cpu()
    command = [sys.executable, "-m", "tests.benchmarks.hostile", "import", str(folder)]
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True)
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == 0:
        return json.loads(said.splitlines()[-1])
    ended = {-24: f"ended after {SECONDS} s of CPU"}.get(process.returncode, "ended without memory")
    return {"cpu": used.ru_utime + used.ru_stime, "database": database_cpu() - before,
            "peak": used.ru_maxrss // 1024, "base": 0, "outcome": ended}  # fmt: skip


def peak_mb():
    """This process's own peak of memory; getrusage's would begin at that of the process which started it."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def preview(folder):
    """Preview a folder within the limits and print what it took; nothing is stored."""
    collection = collection_ensure(key="hostile")
    registry.embedder().token_spans("The tokenizer is loaded.")
    base = peak_mb()
    spent = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS, spent + SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    seconds = {}
    with counted(seconds):
        report = sources_import(paths=[Path(folder)], collection=collection, keep=False)
    assert not Chunk.objects.filter(collection=collection).exists()
    problems = sorted({outcome.problem for outcome in report.refused})
    stored = len(report.outcomes) - len(report.refused)
    outcome = f"{stored} sources, {report.chunks} chunks" if stored else f"refused: {problems[0]}"
    print(json.dumps({**seconds, "peak": peak_mb(), "base": base, "outcome": outcome}))


async def questions(names):
    settings.API_PER_MINUTE, settings.ALLOWED_HOSTS = 10_000, ["testserver"]
    client, token = AsyncClient(), await in_thread(_token)
    json_of = {"content_type": "application/json", "headers": {"authorization": f"Bearer {token}"}}
    surfaces = {
        "search page": lambda text: client.get("/search/", {"q": text}),
        "ask": partial(ask, record=True),
        "API ask": lambda text: client.post("/api/v1/ask", {"question": text}, **json_of),
        "API search": lambda text: client.get("/api/v1/search", {"q": text}, headers=json_of["headers"]),
    }
    places = [name for name in names if name in SURFACES] or SURFACES
    for place in places:
        await surfaces[place]("What is the mind?")  # loads the models
    for name in [name for name in names if name in QUESTIONS] or QUESTIONS:
        for place in places:
            seconds = {}
            with counted(seconds):
                response = await surfaces[place](QUESTIONS[name])
            outcome = response["outcome"] if isinstance(response, dict) else str(response.status_code)
            keep(kind="question", name=name, place=place, chars=len(QUESTIONS[name]), outcome=outcome, **seconds)


def _token():
    owner, _ = get_user_model().objects.get_or_create(username=USER)
    return token_create(owner=owner, name=USER)[1]


def read(path):
    """The last figures of each file and question: {(kind, name, place): figures}."""
    rows = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    return {(row["kind"], row["name"], row.get("place")): row for row in rows}


def seconds_of(row):
    return f"{row['cpu'] + row['database']:.1f}" if row else "–"


def file_row(row, before):
    peak = f"{before['peak']}" if before else "–"
    outcome = row["outcome"].replace("|", "/")
    was = before["outcome"].partition(":")[0] if before else ""
    return (
        f"| {row['name']} | {row['mb']:.1f} | {seconds_of(before)} | {peak} | {was} | {row['cpu']:.1f} "
        f"| {row['database']:.1f} | {row['peak']} | {outcome} |"
    )


def question_row(name, now, before):
    cells = (f"{seconds_of(before.get(('question', name, place)))} → {seconds_of(row)}" for place, row in now.items())
    return f"| {name} | {' | '.join(cells)} |"


def report(earlier):
    now, before = read(figures()), read(earlier) if earlier else {}
    asked = {name: {place: now.get(("question", name, place)) for place in SURFACES} for name in QUESTIONS}
    asked = {name: rows for name, rows in asked.items() if any(rows.values())}
    worst = max((row["cpu"] + row["database"], name) for name, rows in asked.items() for row in rows.values() if row)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    lines = [
        "## Hostile but allowed input",
        "",
        f"{date.today()}, {commit}, on {os.cpu_count()} shared cores. `python -m tests.benchmarks.hostile files`, "
        "`questions`, then `report`.",
        "",
        "### Files",
        "",
        f"Each file is previewed by a process of its own (tokenizer of `{registry.embedder().name}`; "
        f"{min(row['base'] for row in now.values() if row.get('base'))} MB before it opens the file), ended after "
        f"{SECONDS} s of CPU or at {MEMORY >> 30} GB. CPU seconds; peak memory in MB; the database is apart, "
        "and its memory is not counted. Before: both CPU times together.",
        "",
        "| file | MB | before: CPU s | peak | | now: CPU s | database | peak | what became of it |",
        "|---|---:|---:|---:|---|---:|---:|---:|---|",
        *(file_row(row, before.get(key)) for key, row in now.items() if row["kind"] == "file"),
        "",
        "### Questions",
        "",
        f"Of up to {max(map(len, QUESTIONS.values())):,} characters, over {Chunk.objects.count():,} chunks. CPU s "
        f"of program and database, before → now. The dearest takes {worst[0]:.1f} s ({worst[1]}); goal at most "
        f"{GOAL_S:.0f} s: {'met' if worst[0] <= GOAL_S else 'missed'}.",
        "",
        f"| question | {' | '.join(SURFACES)} |",
        f"|---|{'---|' * len(SURFACES)}",
        *(question_row(name, rows, before) for name, rows in asked.items()),
        "",
        f"Not measured yet, questions: {', '.join(name for name in QUESTIONS if name not in asked) or 'none'}. Files: "
        f"{', '.join(name for name in HOSTILE if ('file', name, None) not in now) or 'none'}.",
    ]
    print(publish("hostile", lines))


def main():
    match sys.argv[1:]:
        case ["files", *names]:
            files(names)
        case ["import", folder]:
            preview(folder)
        case ["questions", *names]:
            asyncio.run(questions(names))
        case ["report", *earlier]:
            report(*(earlier or [None]))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
