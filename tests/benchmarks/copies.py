"""What looking for near-copies and for sentences that say the question again costs a turn, in processor time.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.copies

prints milliseconds for 60 candidates of the samples' paragraphs, with random vectors. Needs no database and no model.
"""

import os
import statistics
import time
from uuid import UUID

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
from django.conf import settings

django.setup()

import numpy as np  # after the settings, which keep its threads from spinning

from chat.answering.domain.evidence.echo import echo_spans
from chat.answering.domain.evidence.pool import Candidate, Hit, Pool
from chat.answering.passages.copies import without_copied_passages
from corpus.domain.passage import Passage

CANDIDATES, CHARS, RUNS = 60, 1200, 20
SCALE = ((0.0, 0.0), (0.3, 0.5), (1.0, 1.0))


def paragraphs():
    files = sorted(settings.SAMPLES_DIR.rglob("*.md"))
    return [part for file in files for part in file.read_text(encoding="utf-8").split("\n\n") if len(part) > 200]


def candidates(width, upload):
    """Return 60 candidates; upload: the source of each and the second it was imported in, by its number."""
    texts, random = paragraphs(), np.random.default_rng(1)
    shared = random.normal(size=width)
    made = []
    for number in range(CANDIDATES):
        source, imported_s = upload(number)
        text = " ".join(texts[(3 * number + part) % len(texts)] for part in range(3))[:CHARS]
        key = UUID(int=number + 1)
        passage = Passage(
            key, UUID(int=source), "lecture", f"a:{number}", "T", text, "", 2 * number, imported_s=imported_s
        )
        vector = (shared + random.normal(size=width)).astype("float32").tolist()
        made.append(Candidate(passage, 0.1, {"dense": Hit(key, "dense", number + 1, 0.9)}, vector=vector))
    return made


def milliseconds(work):
    """Return the median of the thread's processor time; `work` gets the number of the run."""
    spent = []
    for run in range(RUNS):
        began = time.thread_time()
        work(run)
        spent.append(1000 * (time.thread_time() - began))
    return statistics.median(spent)


UPLOADS = {
    "one lecture": lambda number: (1, 0.0),
    "twelve lectures of one import": lambda number: (number % 12, 0.0),
    "each of an import of its own": lambda number: (number, 100.0 * number),
}


def main():
    asked = [f"What does she say about the flame of the lamp in the night of story {run}?" for run in range(RUNS)]
    for name, upload in UPLOADS.items():
        made = candidates(768, upload)
        pool = Pool(tuple(made), {}, scale=SCALE)
        echoes = milliseconds(lambda run, made=made: [echo_spans(each.passage.text, asked[run]) for each in made])
        copies = milliseconds(lambda run, made=made, pool=pool: without_copied_passages(pool, made, asked[-1]))
        print(f"{name}: echoes {echoes:.1f} ms, once a turn; near-copies {copies:.1f} ms for each look at the pool")


if __name__ == "__main__":
    main()
