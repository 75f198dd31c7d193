"""How long a reader waits for the first sentence and for the end of a turn, and which part of it the models compute.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.turn_speed [CHUNKS [QUESTIONS]]

writes a part of docs/results/turn_speed.md. Needs LECTORIUM_DATA and a state folder that is empty, or that an earlier
run filled. The samples are indexed by the real embedder; the texts of the other lectures and works are real, their
vectors lie around those of the samples (a cosine of about 0.8), since embedding them takes hours. Questions: those
about the samples of evaluation/natural/dev.jsonl that stand alone, each asked in instant and in auto mode.

Wall time depends on what else the machine does, so processor time is measured beside it: that of the models' forward
passes, of the rest of this process, and of the database's processes. Models run on one thread, so that the time of the
thread is theirs; with LECTORIUM_MODEL_THREADS=2, as on a site with two cores, the clock counts and not the shares.
"""

import asyncio
import contextlib
import json
import os
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from uuid import uuid4

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ.setdefault("LECTORIUM_DB_POOL", "16")  # as `make run` sets it
os.environ["LECTORIUM_ANSWER_CACHE"] = "0"  # every turn is made anew
os.environ.setdefault("LECTORIUM_MODEL_THREADS", "1")

import django
from django.conf import settings

django.setup()

from audit.domain.metrics import percentile
from chat.answering.ask import operator
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.events import Done, SentenceShown
from chat.answering.domain.question import Mode, Question
from chat.answering.turn import answer_turn
from chat.answering.turn_records import respond_only
from corpus.models import ChunkVector, SentenceVector
from corpus.selectors import corpus_fingerprint
from evaluation.results import publish_part
from lectorium.postgres.postmaster import read_pid_file
from lectorium.providers import registry
from lectorium.providers.cross_encoder import SCORES, CrossEncoder
from lectorium.providers.memo import Memo
from lectorium.providers.precision import native
from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder
from lectorium.threads import in_thread
from tests.benchmarks.large_corpus import set_up
from tests.benchmarks.sample_questions import standalone_questions

ASKED = 40
STAGES = ("plan", "retrieve", "discard", "synthesize", "verify")
GOALS_MS = {Mode.INSTANT: 300, Mode.AUTO: 800}
TICK = os.sysconf("SC_CLK_TCK")


def questions(number=ASKED):
    """Return this many of the questions about the samples that stand alone, evenly drawn."""
    alone = standalone_questions()
    return alone[:: max(1, len(alone) // number)][:number]


@dataclass
class ModelTime:
    """Wall and processor seconds of forward passes since the start."""

    wall: float = 0.0
    cpu: float = 0.0

    def watch(self, owner, name):
        """Count what a method takes."""
        inner = getattr(owner, name)

        @wraps(inner)
        def counted(*args, **kwargs):
            wall, cpu = time.perf_counter(), time.thread_time()
            try:
                return inner(*args, **kwargs)
            finally:
                self.wall += time.perf_counter() - wall
                self.cpu += time.thread_time() - cpu

        setattr(owner, name, counted)


def database_cpu():
    """Return the processor seconds of the embedded server's processes so far."""
    server = read_pid_file(settings.EMBEDDED_POSTGRES.place).pid
    total = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            fields = path.read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == server:
                total += int(fields[11]) + int(fields[12])
    return total / TICK


@dataclass(frozen=True)
class TurnTimes:
    """Milliseconds of one turn: to its first sentence and to its end, and processor time by whose it is."""

    first: float | None
    done: float
    models_wall: float
    models: float
    python: float
    database: float
    stages: dict[str, int]
    outcome: str
    answer: str

    @property
    def by_stage(self):
        """Milliseconds of each stage by the clock; what no stage has; and of recording, which follows the stages."""
        spent = {name: self.stages.get(name, 0) for name in STAGES}
        total = self.stages["total"]
        return {**spent, "quoting and the rest": total - sum(spent.values()), "recording": self.done - total}


async def asked(text, mode, viewer, models):
    """Ask one question; return its times."""
    heard, database, model_wall, model_cpu = {}, database_cpu(), models.wall, models.cpu
    wall, cpu = time.perf_counter(), time.process_time()

    async def hear(event):
        if isinstance(event, SentenceShown | Done):
            heard.setdefault(type(event), 1000 * (time.perf_counter() - wall))

    answered = await answer_turn(
        CurrentTurn(uuid4(), uuid4(), Question(text, viewer, mode), EventSink(hear)), respond_only
    )
    cpu, spent = time.process_time() - cpu, models.cpu - model_cpu
    return TurnTimes(
        first=heard.get(SentenceShown),
        done=heard[Done],
        models_wall=1000 * (models.wall - model_wall),
        models=1000 * spent,
        python=1000 * (cpu - spent),
        database=1000 * (database_cpu() - database),
        stages=answered.response.timings_ms,
        outcome=answered.response.outcome,
        answer=answered.response.answer,
    )


async def measure(mode, models, texts):
    viewer = await in_thread(operator)
    await asked(texts[-1], mode, viewer, models)  # the first turn loads the models
    for model in filter(None, (registry.reader(), registry.clip_reader())):
        model._scores = Memo(SCORES)  # the other mode has asked the same questions
    return [await asked(text, mode, viewer, models) for text in texts]


def row(mode, turns):
    """Return a line of the table, medians in milliseconds."""
    firsts = [turn.first for turn in turns if turn.first is not None]
    columns = [
        [turn.models for turn in turns],
        [turn.python for turn in turns],
        [turn.database for turn in turns],
        [turn.models_wall for turn in turns],
        firsts,
        [turn.done for turn in turns],
    ]
    cells = [f"{statistics.median(column):.0f} / {percentile(column, 0.95):.0f}" for column in columns]
    beside = statistics.median((turn.python + turn.database) / turn.models for turn in turns if turn.models)
    whole = statistics.median(turn.models + turn.python + turn.database for turn in turns)
    outcomes = ", ".join(f"{name} {count}" for name, count in Counter(turn.outcome for turn in turns).most_common())
    goal = GOALS_MS[mode]
    return (
        f"| {mode.value} | {' | '.join(cells)} | {whole:.0f} | {beside:.2f} | {goal} |",
        f"{mode.value}: first sentence p50 {statistics.median(firsts):.0f} ms by the clock, goal ≤ {goal} ms "
        f"{'met' if statistics.median(firsts) <= goal else 'missed'}; {outcomes}.",
    )


def stage_rows(measured):
    """Yield a table of the stages by the clock, p50 / p95."""
    names = list(measured[Mode.INSTANT][0].by_stage)
    yield from (f"| mode | {' | '.join(names)} |", f"|---|{'---|' * len(names)}")
    for mode, turns in measured.items():
        columns = [[turn.by_stage[name] for turn in turns] for name in names]
        cells = [f"{percentile(column, 0.5):.0f} / {percentile(column, 0.95):.0f}" for column in columns]
        yield f"| {mode.value} | {' | '.join(cells)} |"


def main():
    size, number, *_ = [int(argument) for argument in sys.argv[1:]] + [33_000, ASKED][len(sys.argv) - 1 :]
    texts = questions(number)
    set_up(size)
    models = ModelTime()
    models.watch(CrossEncoder, "_read_batch")
    models.watch(SentenceTransformersEmbedder, "_encode")
    before = os.getloadavg()[0]
    measured = {mode: asyncio.run(measure(mode, models, texts)) for mode in GOALS_MS}
    rows = {mode: row(mode, turns) for mode, turns in measured.items()}
    lines = [
        f"{len(texts)} questions about the sample lectures, one at a time, over {ChunkVector.objects.count():,} "
        f"chunks and {SentenceVector.objects.count():,} sentences ({corpus_fingerprint()}). p50 / p95 in milliseconds. "
        "Processor time is that of the models' forward passes, of the rest of the web process, and of the database; "
        "the clock includes what else the machine does. Read by: `python -m tests.benchmarks.turn_speed`.",
        "",
        "| mode | models, CPU | Python, CPU | database, CPU | models, clock | first sentence, clock | end, clock "
        "| all CPU, p50 | others ÷ models, CPU | goal |",
        "|---|---|---|---|---|---|---|---:|---:|---:|",
        *(line for line, _ in rows.values()),
        "",
        *(verdict for _, verdict in rows.values()),
        "",
        "By stage and the clock (discard reads the passages and decides; recording ends with the last event):",
        "",
        *stage_rows(measured),
        "",
        f"Models in {native()}; {os.cpu_count()} cores; load average {before:.1f} before, {os.getloadavg()[0]:.1f} "
        "after.",
    ]
    threads = "one thread" if settings.MODEL_THREADS == 1 else f"{settings.MODEL_THREADS} threads"
    publish_part("turn_speed", "## Speed of a turn", f"Models on {threads}", lines)
    print("\n".join(lines))
    if answers := os.environ.get("LECTORIUM_BENCHMARK_ANSWERS"):
        told = {mode.value: [vars(turn) for turn in turns] for mode, turns in measured.items()}
        Path(answers).write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
