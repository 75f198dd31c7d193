"""A soak: a real site is asked for a while, or so many questions; memory and descriptors of web and worker stay flat.

    nice .venv/bin/python -m tests.benchmarks.soak --minutes 30
    nice .venv/bin/python -m tests.benchmarks.soak --questions 10000 --readers 8 --a-minute 0 --every 250 --minutes 600

starts a site of its own with the samples and the shipped small models, or with --big those that `make install` added
(LECTORIUM_MODELS and LECTORIUM_READER_BASE say where, if not in the state folder), writes docs/results/soak.md and
soak.svg (soak_big with --big), and exits 1 where a question got no end, a process ended, or memory or descriptors grew.
SIGTERM ends it early, with a report of what it reached.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass

import psutil
import websockets

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

from evaluation import results
from tests.benchmarks.sample_questions import standalone_questions
from tests.drills.conftest import new_folder
from tests.drills.site import BIG_MODELS, FAILURES, NO_END, PROJECT, SHIPPED_MODELS, DrillSite, events_of

PAGES = ("", "lectures/", "search/?q=bow", "healthz", "readyz")
STOPPED, RESUMED = 0.1, 0.1  # shares of questions that are stopped, and that are resumed on another connection
GROWTH, MORE_OPEN = 0.05, 5  # share of memory, and descriptors, that may come on top of the third quarter's
NO_BUDGET = {"LECTORIUM_QUESTIONS_OF_A_READER": "0", "LECTORIUM_QUESTIONS_OF_AN_ADDRESS": "0"}
QUESTIONS_OF_A_SESSION, NO_CONNECTION = 10, "no connection"
PATIENCE = 1800  # seconds until the next event, and for a page; other work on the machine may hold the site up
MEGABYTE = 2**20
WIDTH, HEIGHT, MARGIN = 640, 220, 45
COLOURS = {"web": "#20639b", "worker": "#b5532a"}


@dataclass(frozen=True)
class ProcessSample:
    """Of a process and its children together."""

    questions: int  # that ended before
    minute: float
    megabytes: float
    descriptors: int
    threads: int


def sample(process, questions, begun):
    tree = [psutil.Process(process.pid)]
    tree += tree[0].children(recursive=True)
    facts = [(member.memory_full_info().pss, member.num_fds(), member.num_threads()) for member in tree]
    memory, descriptors, threads = map(sum, zip(*facts, strict=True))
    return ProcessSample(questions, (time.monotonic() - begun) / 60, memory / MEGABYTE, descriptors, threads)


async def ask_once(reader, question, mode, chance):
    """The outcome of a turn, some of which are stopped or resumed on another connection; NO_END without one."""
    events = []
    try:
        return await _asked(reader, question, mode, chance, events)
    except TimeoutError:
        print(f"no end of {question!r} ({chance:.2f}): {events}", file=sys.stderr, flush=True)
        return NO_END
    except (OSError, websockets.WebSocketException) as error:  # so refuses a server that came to it too late
        print(f"no connection for {question!r}: {error!r}", file=sys.stderr, flush=True)
        return NO_CONNECTION


async def _asked(reader, question, mode, chance, events):
    async with reader.connected() as line:
        await line.send(json.dumps({"type": "ask", "question": question, "mode": mode}))
        async for event in events_of(line, seconds=reader.patience):
            events.append(event)
            if event["type"] == "status" and chance < STOPPED:
                await line.send('{"type": "stop"}')
            elif event["type"] == "status" and chance < STOPPED + RESUMED:
                break
    if events[-1]["type"] == "status":
        events = await reader.resume(event["turn"], event["seq"])
    return events[-1].get("outcome") or events[-1]["code"]


class Soak:
    """Readers who ask at the same time; samples by process, and how the questions and pages ended."""

    def __init__(self, site, processes, options):
        stored = json.loads((PROJECT / "samples" / "questions.json").read_text(encoding="utf-8"))
        asked = [row["question"] for rows in stored.values() for row in rows] + standalone_questions()
        self._site, self._processes, self._options = site, processes, options
        self._questions = itertools.islice(itertools.cycle(asked), options.questions)
        self._begun, self._ended = time.monotonic(), 0
        self._until = self._begun + options.minutes * 60
        self.samples, self.outcomes = {name: [] for name in processes}, Counter()

    async def run(self):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._end)
        self._take_sample()
        await asyncio.gather(*map(self._ask_on, range(self._options.readers)))
        if self.samples["web"][-1].questions < self._ended:
            self._take_sample()

    def _end(self):
        self._until = 0.0

    async def _ask_on(self, seed):
        """Ask at most so often a minute, in a new session now and then, and open a page beside each question."""
        draw = random.Random(seed)
        pause = 60 / self._options.a_minute if self._options.a_minute else 0
        for number, question in enumerate(self._questions):
            began = time.monotonic()
            if number % QUESTIONS_OF_A_SESSION == 0:
                reader = await self._new_reader()
            self.outcomes[await ask_once(reader, question, self._options.mode, draw.random())] += 1
            status, _ = await asyncio.to_thread(self._site.status, draw.choice(PAGES), PATIENCE)
            self.outcomes[f"page {status}"] += 1
            self._ended += 1
            if self._ended % self._options.every == 0:
                self._take_sample()
            if time.monotonic() > self._until:
                return
            await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))

    async def _new_reader(self):
        while True:
            try:
                return await asyncio.to_thread(self._site.reader, PATIENCE)
            except OSError as error:
                print(f"no page for a new reader: {error!r}", file=sys.stderr, flush=True)
                self.outcomes["page 0"] += 1
                await asyncio.sleep(1)

    def _take_sample(self):
        for name, process in self._processes.items():
            self.samples[name].append(sample(process, self._ended, self._begun))
        print(
            f"{self.samples['web'][-1]} {self.samples['worker'][-1]} {dict(self.outcomes)}", file=sys.stderr, flush=True
        )


def quarters(samples):
    """The means of memory and the highest descriptors of the third and the fourth quarter, when all models are loaded.

    What leaks grows between them, too.
    """
    size = max(1, len(samples) // 4)
    parts = samples[-2 * size : -size] or samples, samples[-size:]
    return [(sum(row.megabytes for row in part) / len(part), max(row.descriptors for row in part)) for part in parts]


def is_flat(samples):
    (memory, descriptors), (memory_after, descriptors_after) = quarters(samples)
    return memory_after <= memory * (1 + GROWTH) and descriptors_after <= descriptors + MORE_OPEN


def page_of(options):
    """The page of results, one for each set of models."""
    return "soak_big" if options.big else "soak"


def report(samples, outcomes, options):
    asked, minutes = samples["web"][-1].questions, samples["web"][-1].minute
    pace = f"at most {options.a_minute:g} questions a minute of each" if options.a_minute else "as fast as it answered"
    limit = f" --questions {options.questions}" if options.questions else ""
    models, big = ("the big models", " --big") if options.big else ("the shipped small models", "")
    yield from (
        "## A soak",
        "",
        f"A site of its own with the samples and {models}, asked in {options.mode} mode, "
        f"{options.readers} readers at once, {pace}, a page beside each question, without a cache of answers. "
        f"{asked:,} questions ended in {minutes:.0f} minutes. "
        "A tenth of the questions is stopped, a tenth resumed on another connection. Memory is the proportional set "
        "size of a process and its children. Flat: the last quarter's mean memory is at most "
        f"{GROWTH:.0%} above the third quarter's, and its descriptors at most {MORE_OPEN} more. Read by: "
        f"`python -m tests.benchmarks.soak --minutes {options.minutes:g}{limit} --readers {options.readers} "
        f"--a-minute {options.a_minute:g} --every {options.every} --mode {options.mode}{big}`.",
        "",
        f"![memory of web and worker]({page_of(options)}.svg)",
        "",
        f"Ended as: {_counts(outcomes, pages=False)}. Pages: {_counts(outcomes, pages=True)}.",
        "",
        "| process | most, MB | third quarter, MB | last quarter, MB | descriptors | descriptors at the end | flat |",
        "|---|---:|---:|---:|---:|---:|---|",
    )
    for name, rows in samples.items():
        (memory, descriptors), (after, descriptors_after) = quarters(rows)
        most, flat = max(row.megabytes for row in rows), "yes" if is_flat(rows) else "**no**"
        yield f"| {name} | {most:.0f} | {memory:.0f} | {after:.0f} | {descriptors} | {descriptors_after} | {flat} |"
    yield from (
        "",
        "| questions | minute | web, MB | open | threads | worker, MB | open | threads |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    )
    for web, worker in zip(samples["web"], samples["worker"], strict=True):
        cells = [f"{row.megabytes:.0f} | {row.descriptors} | {row.threads}" for row in (web, worker)]
        yield f"| {web.questions:,} | {web.minute:.1f} | {' | '.join(cells)} |"


def _counts(outcomes, *, pages):
    chosen = [(name, count) for name, count in outcomes.most_common() if name.startswith("page ") is pages]
    return ", ".join(f"{name.removeprefix('page ').replace('_', ' ')} {count}" for name, count in chosen)


def picture(samples):
    """An SVG of memory by questions."""
    top = max(row.megabytes for rows in samples.values() for row in rows) * 1.1
    last = samples["web"][-1].questions

    def at(row):
        x = MARGIN + (WIDTH - 2 * MARGIN) * row.questions / last
        return f"{x:.1f},{HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * row.megabytes / top:.1f}"

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<text x="{MARGIN}" y="20">Memory, 0 to {top:.0f} MB, over {last:,} questions</text>',
        f'<path d="M{MARGIN} {MARGIN}V{HEIGHT - MARGIN}H{WIDTH - MARGIN}" fill="none" stroke="#888"/>',
    ]
    for number, (name, rows) in enumerate(samples.items()):
        points = " ".join(map(at, rows))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        lines.append(f'<text x="{MARGIN + 80 * number}" y="{HEIGHT - 15}" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30, help="the soak ends after so many, or after --questions")
    parser.add_argument("--questions", type=int, help="no limit without it")
    parser.add_argument("--readers", type=int, default=1, help="who ask at the same time")
    parser.add_argument("--a-minute", type=float, default=20, help="questions a minute of each reader, at most; 0: any")
    parser.add_argument("--every", type=int, default=20, help="questions between samples")
    parser.add_argument("--mode", choices=("instant", "auto", "thinking"), default="instant")
    parser.add_argument("--big", action="store_true", help="the big models, which must be installed")
    options = parser.parse_args()
    site = DrillSite(new_folder(), **(BIG_MODELS if options.big else SHIPPED_MODELS) | NO_BUDGET)
    try:
        site.manage("prepare", timeout=PATIENCE)
        processes = {"web": site.start_web(wait=""), "worker": site.start_worker()}
        site.wait_for("readyz", processes["web"], seconds=PATIENCE)
        run = Soak(site, processes, options)
        asyncio.run(run.run())
        alive = all(process.poll() is None for process in processes.values())
    finally:
        site.close()
        shutil.rmtree(site.folder)
    print(results.publish(page_of(options), report(run.samples, run.outcomes, options)))
    results.publish_picture(page_of(options), picture(run.samples))
    wrong = {name for name in run.outcomes if name in FAILURES or name.startswith("page 5")}
    return 0 if alive and not wrong and all(map(is_flat, run.samples.values())) else 1


if __name__ == "__main__":
    sys.exit(main())
