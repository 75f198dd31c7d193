"""How soon a reader sees what: first event, sources, first checked sentence, end; and what the checks cost.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.streaming

writes docs/results/streaming.md.
"""

from tests.benchmarks import staged  # isort: skip  # it sets Django up
import asyncio
import os
import statistics

from chat.answering.domain.events import Done, SentenceShown, Sources
from evaluation.results import publish
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat

ONE_BY_ONE, AT_ONCE, SPEED = 20, 32, 50
ANSWER = " ".join(
    [
        "When the first man was made, every angel bowed to him [^1].",
        "Only Iblis refused to bow to the newly made man [^1].",
        "The banyan tree sometimes lives for five thousand years [^1].",
        "Every angel bowed to the first man when he was made [^1].",
        "Iblis refused to bow [^1].",
    ]
)
MOMENTS = {"first event": object, "sources": Sources, "first checked sentence": SentenceShown, "done": Done}


def moments(events):
    """Return the seconds at which each moment came."""
    return {name: next(at for at, event in events if isinstance(event, kind)) for name, kind in MOMENTS.items()}


def spread(values):
    """Return p50 and p95 in milliseconds."""
    ordered = sorted(values)
    return f"{1000 * statistics.median(ordered):.0f} / {1000 * ordered[round(0.95 * (len(ordered) - 1))]:.0f}"


async def measure(mode, viewer, number, at_once):
    """Return the moments of each turn and what its checks cost, in milliseconds."""
    if at_once:
        turns = await asyncio.gather(*(staged.asked(mode, viewer) for _ in range(number)))
    else:
        turns = [await staged.asked(mode, viewer) for _ in range(number)]
    assert all(len(ended.sentences) >= 1 and not ended.warnings for ended, _ in turns)
    writing = [attempt for ended, _ in turns for attempt in ended.trace.get("writing", ())]
    return [moments(events) for _, events in turns], writing


async def all_rows(viewer):
    rows, checks = [], []
    for name, mode in (("quotation", "instant"), (f"scripted model, {SPEED} tokens/s", "auto")):
        for number, at_once in ((ONE_BY_ONE, False), (AT_ONCE, True)):
            staged.say(ScriptedChat(Reply.of(ANSWER, tokens_a_second=SPEED), name=staged.MODEL))
            found, writing = await measure(mode, viewer, number, at_once)
            cells = " | ".join(spread([turn[moment] for turn in found]) for moment in MOMENTS)
            how = f"{number} at once" if at_once else f"{number}, one by one"
            rows.append(f"| {name} | {how} | {cells} |")
            if writing:
                times = [[milliseconds / 1000 for milliseconds in attempt["checks_ms"]] for attempt in writing]
                first, last = [seconds[0] for seconds in times], [seconds[-1] for seconds in times]
                checks.append(f"{how}: {spread(first)} ms on the first sentence, {spread(last)} ms on the end")
    return rows, checks


def main():
    staged.set_up()
    viewer = staged.viewer()

    async def measured():
        await staged.asked("auto", viewer)  # the first turn builds what is built once
        return await all_rows(viewer)

    staged.say(ScriptedChat(ANSWER, name=staged.MODEL))
    rows, checks = staged.run(measured())
    words = len(ANSWER.split())
    lines = [
        "## Streaming",
        "",
        f"Milliseconds from the question to each moment, p50 / p95, over the tests' small corpus with its stand-in "
        "models, so this is planning, writing and checking, not retrieval over a large corpus. The written answer has "
        f"{words} words in 5 sentences: {1000 * words / SPEED:.0f} ms at {SPEED} a second. Load average "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores. Read by: `python -m tests.benchmarks.streaming`.",
        "",
        f"| answer | turns | {' | '.join(MOMENTS)} |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
        f"Time that checks by the stand-in verifier add, p50 / p95 ({'; '.join(checks)}). The next sentence is written "
        "while one is checked, so the end waits for the last check alone.",
    ]
    print(publish("streaming", lines))


if __name__ == "__main__":
    main()
