"""A soak: a real site is asked for a while at a bounded rate; memory and open descriptors of web and worker stay flat.

    nice .venv/bin/python -m tests.benchmarks.soak --minutes 30

starts a site of its own with the samples and the shipped small models, writes docs/results/soak.md and soak.svg, and
exits 1 where a question got no end, a process ended, or memory or descriptors grew.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass

import psutil

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

from evaluation import results
from tests.drills.conftest import new_folder
from tests.drills.site import NO_END, PROJECT, SHIPPED_MODELS, DrillSite, events_of

PAGES = ("", "lectures/", "search/?q=bow", "healthz", "readyz")
STOPPED, RESUMED = 0.1, 0.1  # shares of questions that are stopped, and that are resumed on another connection
GROWTH, MORE_OPEN = 0.05, 5  # share of memory, and descriptors, that may come on top of the third quarter's
MEGABYTE = 2**20
WIDTH, HEIGHT, MARGIN = 640, 220, 45
COLOURS = {"web": "#20639b", "worker": "#b5532a"}


@dataclass(frozen=True)
class ProcessSample:
    """Of a process and its children together."""

    minute: float
    megabytes: float
    descriptors: int
    threads: int


def sample(process, begun):
    tree = [psutil.Process(process.pid)]
    tree += tree[0].children(recursive=True)
    facts = [(member.memory_full_info().pss, member.num_fds(), member.num_threads()) for member in tree]
    memory, descriptors, threads = map(sum, zip(*facts, strict=True))
    return ProcessSample((time.monotonic() - begun) / 60, memory / MEGABYTE, descriptors, threads)


async def ask_once(reader, question, chance):
    """The outcome of a turn, some of which are stopped or resumed on another connection; NO_END without one."""
    events = []
    try:
        return await _asked(reader, question, chance, events)
    except TimeoutError:
        print(f"no end of {question!r} ({chance:.2f}): {events}", file=sys.stderr, flush=True)
        return NO_END


async def _asked(reader, question, chance, events):
    async with reader.connected() as line:
        await line.send(json.dumps({"type": "ask", "question": question, "mode": "instant"}))
        async for event in events_of(line):
            events.append(event)
            if event["type"] == "status" and chance < STOPPED:
                await line.send('{"type": "stop"}')
            elif event["type"] == "status" and chance < STOPPED + RESUMED:
                break
    if events[-1]["type"] == "status":
        events = await reader.resume(event["turn"], event["seq"])
    return events[-1].get("outcome") or events[-1]["code"]


async def ask_on(site, questions, pause, until, outcomes):
    """Ask at most every `pause` seconds as new readers, and open a page beside each question."""
    draw = random.Random(1)
    for number, question in enumerate(itertools.cycle(questions)):
        if time.monotonic() > until:
            return
        began = time.monotonic()
        if number % 10 == 0:
            reader = await asyncio.to_thread(site.reader)
        outcomes[await ask_once(reader, question, draw.random())] += 1
        status, _ = await asyncio.to_thread(site.status, draw.choice(PAGES))
        outcomes[f"page {status}"] += 1
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))


async def soak(site, processes, options):
    """Samples by process, and how the questions and pages ended."""
    stored = json.loads((PROJECT / "samples" / "questions.json").read_text(encoding="utf-8"))
    questions = [row["question"] for rows in stored.values() for row in rows]
    begun = time.monotonic()
    until, outcomes = begun + options.minutes * 60, Counter()
    asking = asyncio.create_task(ask_on(site, questions, 60 / options.a_minute, until, outcomes))
    samples = {name: [] for name in processes}
    while not asking.done():
        await asyncio.wait([asking], timeout=options.every)
        for name, process in processes.items():
            samples[name].append(sample(process, begun))
        print(f"{samples['web'][-1]} {samples['worker'][-1]} {dict(outcomes)}", file=sys.stderr, flush=True)
    await asking
    return samples, outcomes


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


def report(samples, outcomes, options):
    ended = sum(count for name, count in outcomes.items() if not name.startswith("page "))
    yield from (
        "## A soak",
        "",
        "A site of its own with the samples and the shipped small models, asked in instant mode for "
        f"{options.minutes:g} minutes, at most {options.a_minute:g} questions a minute and a page beside each, without "
        "a cache of answers. "
        "A tenth of the questions is stopped, a tenth resumed on another connection. Memory is the proportional set "
        "size of a process and its children. Flat: the last quarter's mean memory is at most "
        f"{GROWTH:.0%} above the third quarter's, and its descriptors at most {MORE_OPEN} more. Read by: "
        f"`python -m tests.benchmarks.soak --minutes {options.minutes:g} --every {options.every:g}`.",
        "",
        "![memory of web and worker](soak.svg)",
        "",
        f"{ended:,} questions ended: {_counts(outcomes, pages=False)}. Pages: {_counts(outcomes, pages=True)}.",
        "",
        "| process | third quarter, MB | last quarter, MB | descriptors | descriptors at the end | flat |",
        "|---|---:|---:|---:|---:|---|",
    )
    for name, rows in samples.items():
        (memory, descriptors), (after, descriptors_after) = quarters(rows)
        flat = "yes" if is_flat(rows) else "**no**"
        yield f"| {name} | {memory:.0f} | {after:.0f} | {descriptors} | {descriptors_after} | {flat} |"
    yield from (
        "",
        "| minute | web, MB | open | threads | worker, MB | open | threads |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    )
    for web, worker in zip(samples["web"], samples["worker"], strict=True):
        cells = [f"{row.megabytes:.0f} | {row.descriptors} | {row.threads}" for row in (web, worker)]
        yield f"| {web.minute:.1f} | {' | '.join(cells)} |"


def _counts(outcomes, *, pages):
    chosen = [(name, count) for name, count in outcomes.most_common() if name.startswith("page ") is pages]
    return ", ".join(f"{name.removeprefix('page ').replace('_', ' ')} {count}" for name, count in chosen)


def picture(samples):
    """An SVG of memory by minute."""
    top = max(row.megabytes for rows in samples.values() for row in rows) * 1.1
    last = max(row.minute for row in samples["web"])

    def at(row):
        x = MARGIN + (WIDTH - 2 * MARGIN) * row.minute / last
        return f"{x:.1f},{HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * row.megabytes / top:.1f}"

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12">',
        f'<text x="{MARGIN}" y="20">Memory, 0 to {top:.0f} MB, over {last:.0f} minutes</text>',
        f'<path d="M{MARGIN} {MARGIN}V{HEIGHT - MARGIN}H{WIDTH - MARGIN}" fill="none" stroke="#888"/>',
    ]
    for number, (name, rows) in enumerate(samples.items()):
        points = " ".join(map(at, rows))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        lines.append(f'<text x="{MARGIN + 80 * number}" y="{HEIGHT - 15}" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--a-minute", type=float, default=20, help="questions a minute, at most")
    parser.add_argument("--every", type=float, default=60, help="seconds between samples")
    options = parser.parse_args()
    site = DrillSite(new_folder(), **SHIPPED_MODELS)
    try:
        site.fill()
        processes = {"web": site.start_web(), "worker": site.start_worker()}
        samples, outcomes = asyncio.run(soak(site, processes, options))
        alive = all(process.poll() is None for process in processes.values())
    finally:
        site.close()
        shutil.rmtree(site.folder)
    print(results.publish("soak", report(samples, outcomes, options)))
    (results.folder() / "soak.svg").write_text(picture(samples), encoding="utf-8")
    wrong = {
        name for name in outcomes if name in ("failed", "unavailable", "not_recorded") or name.startswith("page 5")
    }
    return 0 if alive and not wrong and all(map(is_flat, samples.values())) else 1


if __name__ == "__main__":
    sys.exit(main())
