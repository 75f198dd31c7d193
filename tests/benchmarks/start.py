"""From the start of a site to its first answer, by the clock and in processor seconds.

    nice .venv/bin/python -m tests.benchmarks.start --rounds 3

starts a site of its own with the samples again and again, and writes docs/results/start.md. Its files are in the
system's cache, as after an earlier start. The first answer is that to a question asked as soon as the web process
answers /healthz, while it still loads its models.
"""

import argparse
import asyncio
import os
import resource
import shutil
import statistics
import sys
import time
from dataclasses import dataclass

import psutil

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

from evaluation import results
from tests.drills.conftest import new_folder
from tests.drills.site import BIG_MODELS, FAILURES, SHIPPED_MODELS, DrillSite

MODELS = {"small": SHIPPED_MODELS, "big": BIG_MODELS}
GOAL, PATIENCE = 5.0, 600  # seconds


@dataclass(frozen=True)
class SiteStart:
    """Seconds: until /healthz answers, until the end of the first answer, and of the processor until then."""

    page: float
    answer: float
    worked: float


def worked(process):
    """Processor seconds of a process and its children, those that have ended too."""
    tree = [process, *process.children(recursive=True)]
    return sum(sum(member.cpu_times()[:4]) for member in tree)


def children_worked():
    """Processor seconds of the programs that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def first_answer(site, process, began, before=0.0):
    """Ask what has just been started, and end it."""
    site.wait_for("healthz", process, seconds=PATIENCE)
    page = time.monotonic() - began
    *_, done = asyncio.run(site.reader(PATIENCE).ask())
    assert done.get("outcome", done.get("code")) not in FAILURES, done
    measured = SiteStart(page, time.monotonic() - began, before + worked(psutil.Process(process.pid)))
    process.terminate()
    process.wait(PATIENCE)
    return measured


def of_web_process(site):
    """The web process alone; the database is running."""
    site.server.ensure_running()
    began = time.monotonic()
    return first_answer(site, site.start_web(wait=""), began)


def of_make_run(site):
    """What `make run` does: `prepare`, then `serve` with the web process and the worker; the database is stopped."""
    site.server.stop()
    began, before = time.monotonic(), children_worked()
    site.manage("prepare", timeout=PATIENCE)
    prepared = children_worked() - before
    return first_answer(site, site.start_all(), began, prepared)


STARTS = {
    "the web process, beside a running database": of_web_process,
    "`make run`, from a stopped database": of_make_run,
}


def report(rows, rounds, loads):
    yield from (
        "## From the start to the first answer",
        "",
        "A site of its own with the samples; the files are in the system's cache. The question is asked as soon as "
        "/healthz answers, and waits for the models. Medians of "
        f"{rounds} starts, the least in brackets. Processor: of the started processes, the worker included where there "
        "is one, without the database's; where other work takes the processors, an idle machine's clock is nearer to "
        f"it. Goal: {GOAL:g} s. Load average {loads[0]:.1f} before, {loads[1]:.1f} after, {os.cpu_count()} cores. Read "
        f"by: `python -m tests.benchmarks.start --rounds {rounds}`.",
        "",
        "| started | models | /healthz, s | first answer, s | processor, s |",
        "|---|---|---:|---:|---:|",
    )
    for (started, models), measured in rows.items():
        cells = (spread(getattr(row, name) for row in measured) for name in ("page", "answer", "worked"))
        yield f"| {started} | {models} | {' | '.join(cells)} |"


def spread(values):
    values = list(values)
    return f"{statistics.median(values):.1f} ({min(values):.1f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--models", choices=MODELS, nargs="+", default=list(MODELS), help="big: must be installed")
    options, before, rows = parser.parse_args(), os.getloadavg()[0], {}
    for models in options.models:
        site = DrillSite(new_folder(), **MODELS[models])
        try:
            site.manage("prepare", timeout=PATIENCE)
            for started, measure in STARTS.items():
                for number in range(options.rounds + 1):  # the first loads the files into the system's cache
                    row = measure(site)
                    print(started, models, row, file=sys.stderr, flush=True)
                    if number:
                        rows.setdefault((started, models), []).append(row)
        finally:
            site.close()
            shutil.rmtree(site.folder)
    print(results.publish("start", report(rows, options.rounds, (before, os.getloadavg()[0]))))


if __name__ == "__main__":
    main()
