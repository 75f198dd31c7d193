"""Golden questions in auto mode with a real server's model writing: what it wrote, and what of that a reader saw.

    make serve-llm                        # in another terminal; or any other service
    LECTORIUM_CHAT_ENDPOINTS=vllm=http://127.0.0.1:8001/v1 LECTORIUM_LADDER=synthesize=vllm:smollm2 \\
        .venv/bin/python -m tests.benchmarks.served 40

writes docs/results/served.md. Needs LECTORIUM_DATA, and a state with the golden set's corpus. The ladder's rows are the
state's, or else LECTORIUM_LADDER's; rows that it adds it takes away again.
"""

import asyncio
import os
import random
import sys
from collections import Counter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ["LECTORIUM_ANSWER_CACHE"] = "0"  # every turn is made anew

import django
from django.conf import settings

django.setup()

from audit.domain.metrics import Share, percentile
from audit.domain.outcomes import ANSWERED
from chat.answering.ask import operator
from chat.answering.domain.question import HistoryMessage, Mode, Question
from corpus.models import Chunk
from corpus.selectors import corpus_fingerprint
from evaluation.golden import history_of, is_answerable
from evaluation.golden_run import QUESTION, read_rows
from evaluation.results import publish
from lectorium.ladder.models import Rung, RungVersion
from lectorium.ladder.selectors import chain
from lectorium.ladder.services import ladder_seed
from lectorium.threads import in_thread
from tests.benchmarks.turns import turn_of

SEED, QUESTIONS = 1, 40


async def asked(row, viewer):
    """Return the ended turn of a golden question."""
    history = tuple(HistoryMessage(role, content) for role, content in history_of(row))
    return await turn_of(Question(row["question"], viewer, Mode.AUTO, history=history))


def invented(ended):
    """Return the citations that point at nothing: a number that was not given out, or words that do not stand there."""
    numbers = {citation.n for citation in ended.citations}
    texts = dict(
        Chunk.objects.filter(pk__in=[citation.chunk_id for citation in ended.citations]).values_list("pk", "text")
    )
    loose = [n for sentence in ended.sentences for n in sentence.citations if n not in numbers]
    return loose + [
        citation.n
        for citation in ended.citations
        if texts.get(citation.chunk_id, "")[citation.char_start : citation.char_end] != citation.quote
    ]


async def measure(rows):
    viewer = await in_thread(operator)
    ended_turns = []
    for row in rows:
        ended_turns.append(await asked(row, viewer))
        print(f"\r{len(ended_turns)} of {len(rows)}", end="", file=sys.stderr, flush=True)
    return ended_turns, sum([len(await in_thread(invented, ended)) for ended in ended_turns])


def report(rows, ended_turns, loose):
    """Yield the section's lines."""
    attempts = [attempt for ended in ended_turns for attempt in ended.trace.get("writing", [])]
    told = [sentence for attempt in attempts for sentence in attempt["sentences"]]
    shown = [sentence for ended in ended_turns for sentence in ended.sentences]
    own = [sentence for sentence in shown if not sentence.quoted and sentence.kind == "factual"]
    withheld = Counter(sentence["withheld"] for sentence in told if sentence["withheld"])
    verdicts, abstained = (
        Counter(sentence.verdict for sentence in own),
        sum(attempt["abstained"] for attempt in attempts),
    )
    dropped = Counter(dropped["reason"] for attempt in attempts for dropped in attempt["dropped"])
    faults = Counter(attempt["fault"] for attempt in attempts if attempt["fault"])
    model = chain("synthesize", "report")[0].model
    yield from (
        "## A real server's model, and what of it is shown",
        "",
        f"{len(rows)} questions of `golden/dev.jsonl` (all sections, drawn by seed {SEED}) in auto mode over "
        f"{corpus_fingerprint()}; `{model}` writes. Read by: `python -m tests.benchmarks.served`.",
        "",
        "| | |",
        "|---|---|",
        f"| turns in which the model wrote | {sum('writing' in ended.trace for ended in ended_turns)} |",
        f"| turns in which it said that the notes do not answer | {abstained} |",
        f"| faults | {_counts(faults)} |",
        f"| sentences written | {len(told)} |",
        f"| of those withheld, by reason | {_counts(withheld)} |",
        f"| markers and other marks dropped, by reason | {_counts(dropped)} |",
        f"| factual sentences of the model's shown, by verdict | {_counts(verdicts)} |",
        f"| sentences shown as quotations | {sum(sentence.quoted for sentence in shown)} |",
        f"| turns by outcome | {_counts(Counter(ended.outcome for ended in ended_turns))} |",
        f"| invented citations shown | {loose} of {sum(len(ended.citations) for ended in ended_turns)} |",
        f"| answerable questions answered | {_answered(rows, ended_turns, True)} |",
        f"| unanswerable questions answered | {_answered(rows, ended_turns, False)} |",
        f"| seconds a turn, p50 / p95 | {_seconds(ended_turns, 0.5)} / {_seconds(ended_turns, 0.95)} |",
        "",
    )
    if own:
        yield from ("What the model wrote and a reader saw, for a look by eye:", "")
        yield from dict.fromkeys(f"- *{sentence.verdict}* {sentence.text}" for sentence in own)


def _counts(counted):
    return ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in counted.most_common()) or "none"


def _answered(rows, ended_turns, answerable):
    pairs = zip(rows, ended_turns, strict=True)
    return Share.of(ended.outcome in ANSWERED for row, ended in pairs if is_answerable(row) is answerable)


def _seconds(ended_turns, share):
    return f"{percentile([ended.turn.clock.milliseconds()['total'] for ended in ended_turns], share) / 1000:.1f}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else QUESTIONS
    rows = random.Random(SEED).sample(read_rows(settings.DATA_DIR / "golden" / "dev.jsonl", QUESTION), count)
    added = ladder_seed()
    try:
        if chain("synthesize", "report")[0].is_builtin:
            raise SystemExit("No model writes: name one for the job synthesize in LECTORIUM_LADDER.")
        ended_turns, loose = asyncio.run(measure(rows))
        print(publish("served", report(rows, ended_turns, loose)))
    finally:
        RungVersion.objects.filter(rung__in=added).delete()
        Rung.objects.filter(pk__in=[rung.pk for rung in added]).delete()


if __name__ == "__main__":
    main()
