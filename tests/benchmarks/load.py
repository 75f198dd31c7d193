"""Many readers at once: a real site is asked over websockets by readers who think between their questions.

    nice .venv/bin/python -m tests.benchmarks.load --readers 1 8 32 128 --seconds 120

starts a site of its own with the samples and the shipped small models (--big: the big ones, where `make install` put
them), and writes its part of docs/results/load.md. A run lasts at most `--seconds` and LAST_ANSWERS more for each
number of readers. Each reader has a session and a network address of their own (X-Forwarded-For, as behind a proxy),
asks questions of evaluation/natural/dev.jsonl about the samples in their own order, and thinks for a random time after
each answer. No answer comes from the cache. A reader who is told that too many people ask waits as long as after an
answer, and asks again.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import sys
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass, field

import psutil
import websockets

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

from audit.domain.metrics import percentile
from evaluation import results
from lectorium.postgres.postmaster import read_pid_file
from tests.benchmarks.sample_questions import standalone_questions
from tests.drills.conftest import new_folder
from tests.drills.site import BIG_MODELS, FAILURES, NO_END, SHIPPED_MODELS, DrillSite, events_of

SETTINGS = {
    "LECTORIUM_TRUSTED_PROXIES": "127.0.0.1",  # this program, which gives each reader an address
    "LECTORIUM_QUESTIONS_OF_A_READER": "0",  # no budget an hour
    "LECTORIUM_QUESTIONS_OF_AN_ADDRESS": "0",
}
LAST_ANSWERS = 90  # seconds after the end for the answers that are under way
WORDS = ("sentence", "notice", "refusal")  # the first event of these types is the first that a reader reads
BUSY = "busy"
LONG = 1.0  # seconds in the queue


@dataclass
class LoadQuestion:
    """What its reader saw of a question; seconds from the moment it was sent."""

    outcome: str = NO_END
    queue: float | None = None
    words: float | None = None
    done: float | None = None
    places: int = 0  # events that told a place in the queue
    stages: dict[str, int] = field(default_factory=dict)  # milliseconds, as recorded with the turn


class LoadReader:
    """A session with an address of its own."""

    def __init__(self, url, number):
        self._url, self._number = url, number
        self._headers = {"X-Forwarded-For": f"10.0.{number // 250}.{number % 250 + 1}"}
        with urllib.request.urlopen(urllib.request.Request(f"{url}/", headers=self._headers), timeout=120) as page:
            cookies = page.headers.get_all("Set-Cookie")
        self._headers["Cookie"] = "; ".join(cookie.partition(";")[0] for cookie in cookies)

    async def ask_until(self, until, questions, think, mode, asked):
        """Ask, read and think until the time is over."""
        draw = random.Random(self._number)
        mine = draw.sample(questions, len(questions))
        address = f"{self._url.replace('http', 'ws', 1)}/ws/chat/"
        await asyncio.sleep(draw.uniform(0, think))  # readers do not come at the same moment
        async with websockets.connect(
            address, origin=self._url, additional_headers=self._headers, open_timeout=120, ping_interval=None
        ) as line:
            number, ended = 0, set()  # turns, whose suggestions may still come
            while time.monotonic() < until:
                question = LoadQuestion()
                asked.append(question)
                message = {"type": "ask", "question": mine[number % len(mine)], "mode": mode}
                await _follow(line, message, question, ended, until + LAST_ANSWERS)
                number += question.outcome != BUSY
                await asyncio.sleep(min(draw.expovariate(1 / think), max(0, until - time.monotonic())))


async def _follow(line, message, question, ended, until):
    """Send a question, and note when what of its answer comes."""
    began = time.monotonic()
    await line.send(json.dumps(message))
    with contextlib.suppress(TimeoutError):
        async for event in events_of(line, seconds=max(0.1, until - began)):
            since, kind = time.monotonic() - began, event["type"]
            if event["turn"] in ended and kind != "error":
                continue  # suggestions that follow the answer before
            if kind == "status" and event["stage"] == "queue":
                question.places += 1
            elif question.queue is None:
                question.queue = since
            if kind in WORDS and question.words is None:
                question.words = since
            if kind == "done":
                question.done, question.outcome, question.stages = since, event["outcome"], event["timings_ms"]
                ended.add(event["turn"])
            elif kind == "error":
                question.outcome = event["code"]


@dataclass(frozen=True)
class ProcessorUsage:
    """Processor seconds: of the web process, of the database's processes, and of all processes of the machine."""

    web: float
    database: float
    machine: float

    @classmethod
    def of(cls, web, database):
        """web, database: psutil processes."""
        spent = psutil.cpu_times()
        return cls(_cpu(web), sum(map(_cpu, [database, *database.children()])), sum(spent) - spent.idle - spent.iowait)

    def since(self, before):
        return ProcessorUsage(self.web - before.web, self.database - before.database, self.machine - before.machine)


def _cpu(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        times = process.cpu_times()
        return times.user + times.system + times.children_user + times.children_system
    return 0.0


@dataclass(frozen=True)
class LoadRun:
    readers: int
    seconds: float
    asked: list[LoadQuestion]
    usage: ProcessorUsage

    @property
    def answered(self):
        return [question for question in self.asked if question.done is not None]

    @property
    def rate(self):
        return len(self.answered) / self.seconds

    def count(self, outcomes):
        return sum(question.outcome in outcomes for question in self.asked)


async def load(site, web, readers, options):
    """Let so many readers ask for a while."""
    processes = psutil.Process(web.pid), psutil.Process(read_pid_file(site.server.place).pid)
    opened = await asyncio.gather(*(asyncio.to_thread(LoadReader, site.url, number) for number in range(readers)))
    asked, questions, before, began = [], standalone_questions(), ProcessorUsage.of(*processes), time.monotonic()
    until = began + options.seconds
    asking = [reader.ask_until(until, questions, options.think, options.mode, asked) for reader in opened]
    ended = await asyncio.gather(*asking, return_exceptions=True)
    for fault in filter(None, ended):
        print(f"a reader's connection failed: {fault!r}", file=sys.stderr, flush=True)
    return LoadRun(readers, time.monotonic() - began, asked, ProcessorUsage.of(*processes).since(before))


def spread(values, scale=1.0, form=".1f"):
    """p50 / p95."""
    kept = [scale * value for value in values if value is not None]
    return " / ".join(f"{percentile(kept, share):{form}}" for share in (0.5, 0.95)) if kept else "–"


def report(runs, options, at_once, loads):
    """Yield the lines of a part."""
    command = f"--readers {' '.join(map(str, options.readers))} --seconds {options.seconds:g} --think {options.think:g}"
    command += f" --mode {options.mode}" + (f" --at-once {at_once}" if at_once else "") + " --big" * options.big
    yield from (
        f"Readers think {options.think:g} s on average after an answer. Load average {loads[0]:.1f} at the start, "
        f"{loads[1]:.1f} at the end, {os.cpu_count()} cores. Read by: `python -m tests.benchmarks.load {command}`.",
        "",
        "| readers | asked | answers/s | first words, s | whole answer, s | in the queue, s | places told an answer "
        "| told busy | failed | web, CPU s an answer | database, CPU s | processors: site | others |",
        "|---:|---:|---:|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
    )
    for run in runs:
        answers, cores = max(1, len(run.answered)), run.seconds * os.cpu_count()
        site = run.usage.web + run.usage.database
        cells = (
            run.readers,
            len(run.asked),
            f"{run.rate:.2f}",
            spread(question.words for question in run.answered),
            spread(question.done for question in run.answered),
            spread(question.queue for question in run.answered),
            f"{sum(question.places for question in run.answered) / answers:.1f}",
            run.count({BUSY}),
            run.count(FAILURES),
            f"{run.usage.web / answers:.2f}",
            f"{run.usage.database / answers:.2f}",
            f"{site / cores:.0%}",
            f"{max(0.0, run.usage.machine - site) / cores:.0%}",
        )
        yield f"| {' | '.join(map(str, cells))} |"
    by_stage = "Milliseconds of a turn by stage, p50 / p95; the total has the queue in it:"
    yield from ("", saturation(runs), "", by_stage, "")
    names = list(dict.fromkeys(name for run in runs for question in run.answered for name in question.stages))
    yield from (f"| readers | {' | '.join(names)} |", f"|---:|{'---|' * len(names)}")
    for run in runs:
        cells = (spread((question.stages.get(name) for question in run.answered), form=".0f") for name in names)
        yield f"| {run.readers} | {' | '.join(cells)} |"
    outcomes = Counter(question.outcome for run in runs for question in run.asked)
    named = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in outcomes.most_common())
    yield from ("", f"Ended as: {named}.")


def saturation(runs):
    """Say from which number of readers on questions have to wait, and for what."""
    for run in runs:
        waited = percentile([question.queue for question in run.answered if question.queue is not None] or [0.0], 0.5)
        if waited > LONG or run.count({BUSY}):
            return (
                f"Saturated at {run.readers} readers: the median question waits {waited:.1f} s for a slot, and "
                f"{run.count({BUSY})} are told to come back later."
            )
    return f"Not saturated at {runs[-1].readers} readers: the median question does not wait for a slot."


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, nargs="+", default=[1, 8, 32, 128])
    parser.add_argument("--seconds", type=float, default=120, help="for each number of readers")
    parser.add_argument("--think", type=float, default=5, help="seconds between an answer and the next question")
    parser.add_argument("--mode", choices=("instant", "auto"), default="instant")
    parser.add_argument(
        "--at-once", type=int, nargs="+", default=[0], help="turns at once, each in a run of its own; 0: the default"
    )
    parser.add_argument("--big", action="store_true", help="the big models, which must be installed")
    return parser.parse_args()


def measure(site, at_once, options):
    """Run the site with so many turns at once, write the part of the page, and return whether nothing failed."""
    before, runs = os.getloadavg()[0], []
    web = site.start_web(**({"LECTORIUM_TURNS_AT_ONCE": str(at_once)} if at_once else {}))
    for readers in options.readers:
        runs.append(asyncio.run(load(site, web, readers, options)))
        print(f"{readers} readers: {runs[-1].rate:.2f} answers a second", file=sys.stderr, flush=True)
    web.terminate()
    web.wait(30)
    lines = list(report(runs, options, at_once, (before, os.getloadavg()[0])))
    turns = f"{at_once} turns at once" if at_once else "the default number of turns at once"
    results.publish_part("load", HEAD, f"{options.mode}, {turns}{', big models' if options.big else ''}", lines)
    print("\n".join(lines))
    return not any(run.count(FAILURES) for run in runs)


def main():
    options = options_of()
    site = DrillSite(new_folder(), **(BIG_MODELS if options.big else SHIPPED_MODELS) | SETTINGS)
    try:
        site.manage("prepare", timeout=900)  # migrates, imports and indexes the samples
        succeeded = [measure(site, at_once, options) for at_once in options.at_once]
        return 0 if all(succeeded) else 1
    finally:
        site.close()
        shutil.rmtree(site.folder)


HEAD = """## Many readers at once

A site with the samples and the shipped small models, or where a part says so with the big ones, asked over real
websockets; no answer comes from the cache. First words: the first sentence, notice or refusal; in the queue: until a
turn begins; p50 / p95. The processors' columns say how much of the machine the web process and the database took, and
how much everything else took, this program included."""


if __name__ == "__main__":
    sys.exit(main())
