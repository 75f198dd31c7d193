"""What a kept answer saves: the time of a turn answered anew and of one given again, and how often one can be.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.cache

writes docs/results/cache.md, or cache_redis.md beside it where REDIS_URL and LECTORIUM_SECRET_KEY are set. The corpus
is the samples', the models are the shipped ones, and every turn is recorded.
"""

import asyncio
import json
import os
import random
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ.setdefault("LECTORIUM_DB_POOL", "16")  # as `make run` sets it

import django
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command

django.setup()

from audit.domain.metrics import Share, percentile
from audit.models import TurnAudit
from chat.answering.ask import operator
from chat.answering.domain.events import Done
from corpus.selectors import corpus_fingerprint
from evaluation.results import publish
from tests.chat.turns import run_recorded

ASKED, SEED, MODE = 400, 20, "auto"
GOAL_MS = 50


def mix():
    """Return ASKED questions of the samples, the n-th of a shuffled list as often as 1/n: a few are asked by many."""
    stored = json.loads((settings.SAMPLES_DIR / "questions.json").read_text(encoding="utf-8"))
    questions = [entry["question"] for kind in ("answerable", "refused") for entry in stored[kind]]
    chance = random.Random(SEED)
    chance.shuffle(questions)
    return chance.choices(questions, [1 / rank for rank in range(1, len(questions) + 1)], k=ASKED)


async def timed(text, viewer):
    """Return a recorded turn and the milliseconds from its first event to `done`, which is its last."""
    heard = []

    async def hear(event):
        heard.append(time.perf_counter())

    ended, events = await run_recorded(text, viewer, mode=MODE, hear=hear)
    assert isinstance(events[-1], Done)
    return ended, 1000 * (heard[-1] - heard[0])


async def measured(questions, viewer):
    await run_recorded(questions[0], viewer, mode="instant")  # the first turn loads the models
    return [await timed(text, viewer) for text in questions]


def row(name, turns):
    p50, p95 = (percentile([ms for _, ms in turns], share) for share in (0.5, 0.95))
    return f"| {name} | {len(turns)} | {p50:.0f} | {p95:.0f} |"


def main():
    call_command("prepare", verbosity=0)
    cache.clear()
    questions = mix()
    turns = asyncio.run(measured(questions, operator()))
    again = [turn for turn in turns if "cached" in turn[0].trace]
    anew = [turn for turn in turns if "cached" not in turn[0].trace]
    answered = [turn for turn in anew if turn[0].citations]
    refused = [turn for turn in anew if not turn[0].citations]
    recorded = TurnAudit.objects.filter(turn_id__in=[ended.turn_id for ended, _ in turns], trace__has_key="cached")
    assert recorded.count() == len(again), "the audit must say which answers were given again"
    first = {ended.question.text: ended.response()["sentences"] for ended, _ in anew}
    assert all(ended.response()["sentences"] == first[ended.question.text] for ended, _ in again)
    p95 = percentile([ms for _, ms in again], 0.95)
    lines = [
        "## Answers given again" + (", kept in Redis" if settings.REDIS_URL else ""),
        "",
        f"{ASKED} questions asked one by one in {MODE} mode over {corpus_fingerprint()}, drawn from the "
        f"{len(first)} sample questions, the n-th likeliest as often as 1/n (seed {SEED}), within the time answers are "
        "kept. Milliseconds from a turn's first event to `done`: planned, looked up, said and recorded. Load average "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores. Read by: `python -m tests.benchmarks.cache`.",
        "",
        "| the answer | turns | p50 ms | p95 ms |",
        "|---|---|---|---|",
        row("given again", again),
        row("made anew", answered),
        row("refused, which is never kept", refused),
        "",
        f"Given again: {Share(len(again), len(turns))} of all, {Share(len(again), len(again) + len(answered))} of "
        "those answered, each with the same sentences as at first, and marked in its audit row.",
        "",
        "| goal | at most | measured | met |",
        "|---|---|---|---|",
        f"| p95 of an answer given again, ms | {GOAL_MS} | {p95:.0f} | {'yes' if p95 <= GOAL_MS else 'no'} |",
    ]
    print(publish("cache_redis" if settings.REDIS_URL else "cache", lines))


if __name__ == "__main__":
    main()
