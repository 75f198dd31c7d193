"""How many of the nearest chunks the index finds in the corpus in use, by how many rows a scan looks at.

`python -m tests.benchmarks.recall` asks the golden questions of the serving index and of an exact search, and writes
docs/results/recall.md. Needs an indexed corpus of more than a few thousand chunks, and LECTORIUM_DATA.
"""

import os
import sys

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
django.setup()

from django.conf import settings

from audit.domain.metrics import Share, percentile
from corpus.domain.nearness import NearnessRules
from corpus.domain.scope import Scope
from corpus.indexing import nearest
from corpus.models import Chunk, ChunkVector
from corpus.selectors import corpus_fingerprint, serving_space, space_embedder
from evaluation.golden_run import QUESTION, read_rows
from evaluation.results import publish
from tests.benchmarks.nearest import looked_up

LOOKED_AT = (100, 200, 400, 700)
DEPTHS = (10, 60)  # what benchmarks report, and what the dense lane asks for


def stored(space):
    """Return the ids and the vectors of what may be found."""
    served = set(Chunk.objects.within(Scope()).values_list("pk", flat=True))
    rows = ChunkVector.objects.filter(space=space).values_list("chunk_id", "embedding")
    kept = [(pk, embedding) for pk, embedding in rows.iterator(5000) if pk in served]
    return [pk for pk, _ in kept], np.array([vector for _, vector in kept], dtype=np.float32)


def rows_for(space, ids, vectors, questions):
    """Yield a line of the table for each number of rows looked at and each depth."""
    order = np.argsort(-(questions @ vectors.T), axis=1)
    for looked_at in LOOKED_AT:
        nearest.RULES = NearnessRules(looked_at=looked_at)
        for depth in DEPTHS:
            hits, milliseconds = [], []
            for question, exact in zip(questions, order[:, :depth], strict=True):
                near, took = looked_up(space, question, Scope(), depth)
                milliseconds.append(took)
                hits += [ids[row] in near for row in exact]
            p50, p95 = percentile(milliseconds, 0.5), percentile(milliseconds, 0.95)
            yield f"| {looked_at} | {depth} | {Share.of(hits)} | {p50:.1f} / {p95:.1f} |"


def main():
    space = serving_space()
    if space is None or Chunk.objects.count() < nearest.RULES.exact_below:
        sys.exit("The corpus in use is searched exactly, or not at all. Import and index more of it first.")
    serving = nearest.RULES.looked_at
    ids, vectors = stored(space)
    asked = [row["question"] for row in read_rows(settings.DATA_DIR / "golden" / "dev.jsonl", QUESTION)]
    lines = list(rows_for(space, ids, vectors, space_embedder(space).embed_questions(asked)))
    about = (
        f"Of the chunks truly nearest to {len(asked)} questions of `golden/dev.jsonl`, the share that the index "
        f"({space.dtype}) finds, over {len(ids):,} chunks of {corpus_fingerprint()}. The product looks at {serving} "
        f"rows and asks for {DEPTHS[-1]}. One question at a time on shared cores. Read by: "
        "`python -m tests.benchmarks.recall`."
    )
    head = ["| rows looked at | nearest | found | p50 / p95 ms |", "|---|---|---|---|"]
    publish("recall", ["## The vector index over real chunks", "", about, "", *head, *lines])


if __name__ == "__main__":
    main()
