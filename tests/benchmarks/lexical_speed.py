"""How long the lexical lane takes over many passages.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.lexical_speed 200000 [LABEL]

writes a part of docs/results/lexical.md, whose title ends in the label, such as the revision measured. Needs
LECTORIUM_DATA and a state folder of its own. The passages are those of the samples, the lectures and the King James
Bible, and copies of them up to the size, so that words are as frequent as in more of the same. Nothing is embedded.
Each question's wordings are looked up as a turn does it, three times; the fastest counts, because the machine has other
work.
"""

import os
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django

django.setup()

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from audit.domain.metrics import percentile
from chat.answering.ask import operator
from chat.answering.domain.question import Question
from chat.answering.lexical import lexical_lane
from chat.answering.stages.plan import plan_question
from corpus.indexing.terms import refresh_terms
from corpus.models import Chunk
from evaluation.results import publish_part
from tests.benchmarks.sample_questions import standalone_questions

LECTURES, WORKS = ("lectures/vivekananda", "lectures/william_james"), ("works/kjv",)
QUESTIONS, TIMES, COPIED = 100, 3, 20_000


def fill(size):
    """Import real texts into an empty state, and copy their passages up to the size."""
    call_command("migrate", verbosity=0)
    if not Chunk.objects.exists():
        call_command("import_lectures", str(settings.SAMPLES_DIR / "lectures"), verbosity=0)
        call_command("import_lectures", *(str(settings.DATA_DIR / name) for name in LECTURES), verbosity=0)
        call_command("import_works", *(str(settings.DATA_DIR / name) for name in WORKS), verbosity=0)
    stored = [field.column for field in Chunk._meta.concrete_fields if field.column not in ("id", "search_vector")]
    columns, table = ", ".join(f'"{column}"' for column in stored), Chunk._meta.db_table
    while (have := Chunk.objects.count()) < size:
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {table} (id, {columns}) SELECT gen_random_uuid(), {columns} FROM {table} LIMIT %s",
                [min(COPIED, size - have)],
            )
    refresh_terms()
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM ANALYZE {table}")


def fastest(words, viewer, alternatives):
    """The fastest of some looks, in milliseconds."""
    took = []
    for _ in range(TIMES):
        began = time.perf_counter()
        lexical_lane(words, viewer, alternatives)
        took.append(1000 * (time.perf_counter() - began))
    return min(took)


def lane_line(benchmark, size):
    """What looking up the questions takes in the corpus that is there, in a sentence."""
    viewer, texts = operator(), standalone_questions()
    plans = [plan_question(Question(text, viewer)) for text in texts[:: max(1, len(texts) // QUESTIONS)][:QUESTIONS]]
    took = [fastest([wording.words for wording in plan.searches], viewer, plan.alternatives) for plan in plans]
    p50, p95 = percentile(took, 0.5), percentile(took, 0.95)
    return (
        f"{len(took)} questions over {Chunk.objects.count():,} passages, one at a time: p50 {p50:.0f} ms, p95 "
        f"{p95:.0f} ms, longest {max(took):.0f} ms. Load average {os.getloadavg()[0]:.1f} after. Read by: "
        f"`python -m tests.benchmarks.{benchmark} {size}`."
    )


def main():
    size = int(sys.argv[1])
    fill(size)
    line, title = lane_line("lexical_speed", size), " ".join([f"{size:,} passages", *sys.argv[2:]])
    publish_part("lexical", "## The lexical lane over many passages", title, [line])
    print(title, line)


if __name__ == "__main__":
    main()
