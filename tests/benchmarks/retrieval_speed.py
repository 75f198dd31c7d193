"""How long planning, the look-ups and the discarding of a question take, in instant mode, over corpora of growing size.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.retrieval_speed 25000 200000

writes docs/results/retrieval_speed.md after each size. Needs LECTORIUM_DATA and a state folder that is empty, or that
an earlier run of this has grown: what is there is not made again. The models are the real ones. The corpus: the
lectures, then generated ones. A generated chunk has as many sentences as a real one, drawn from everywhere (seeded),
and that chunk's vector with noise (a cosine of about 0.8): words are as frequent, and look-ups find as much, as in more
of the same. Questions: those of golden/dev.jsonl, one half asked one at a time, the other half eight at once.
"""

import asyncio
import os
import random
import resource
import sys
from uuid import uuid4

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ.setdefault("LECTORIUM_DB_POOL", "16")  # as `make run` sets it
os.environ["LECTORIUM_ANSWER_CACHE"] = "0"  # every turn is made anew

import django
import numpy as np
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pgvector import HalfVector

django.setup()

from audit.domain.metrics import percentile
from chat.answering.ask import operator
from chat.answering.domain.question import Mode, Question
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import sentence_spans
from corpus.indexing.terms import refresh_terms
from corpus.indexing.vector_index import vector_index_build, vector_index_drop, vectors_copy
from corpus.models import Chunk, ChunkVector, Collection, Lecture
from corpus.selectors import corpus_fingerprint, serving_space
from evaluation.golden_run import QUESTION, read_rows
from evaluation.results import publish
from lectorium.providers.precision import native
from lectorium.threads import in_thread
from tests.benchmarks.turns import turn_of

LECTURES = ("lectures/vivekananda", "lectures/william_james")
GROWN = "grown"
NOISE = 0.75  # length of the noise beside a vector of length 1: a cosine of 0.8
CHUNKS_A_LECTURE, TOGETHER = 30, 3_000
AT_ONCE, GOAL_MS = 8, 350
STAGES = ("plan", "retrieve", "discard", "total")


def set_up():
    """Import and index the lectures into an empty state; refuse one that holds what this did not make."""
    call_command("migrate", verbosity=0)
    grown, made = Collection.objects.get_or_create(key=GROWN, defaults={"title": "Grown"})
    if made and Chunk.objects.exists():
        grown.delete()
        raise SystemExit("This state holds a corpus. Give this program one of its own: LECTORIUM_STATE=$(mktemp -d)")
    call_command("import_lectures", *(str(settings.DATA_DIR / name) for name in LECTURES), verbosity=0)
    if Chunk.objects.exclude(collection=grown).exclude(pk__in=ChunkVector.objects.values("chunk_id")).exists():
        call_command("index", verbosity=0)
    return grown


def grow(size, grown):
    """Add chunks up to the size, with their vectors, and build what is searched by."""
    have, space = Chunk.objects.count(), serving_space()
    if have < size:
        real = list(
            Chunk.objects.exclude(collection=grown).order_by("pk").values_list("pk", "text", "context", "tokens")
        )
        stored = dict(ChunkVector.objects.filter(space=space).values_list("chunk_id", "embedding"))
        sentences = [text[slice(*span)] for _, text, *_ in real for span in sentence_spans(text)]
        chance, noise = random.Random(have), np.random.default_rng(have)
        vector_index_drop(space=space)
        for start in range(have, size, TOGETHER):
            drawn = chance.choices(real, k=min(TOGETHER, size - start))
            chunks = _chunks(drawn, sentences, grown, start, chance)
            vectors = jittered(np.stack([np.asarray(stored[pk], dtype=np.float32) for pk, *_ in drawn]), noise)
            Chunk.objects.bulk_create(chunks)
            vectors_copy([(uuid4(), chunk.pk, space.pk, chunk.embedded_hash, 0, HalfVector(v))
                   for chunk, v in zip(chunks, vectors, strict=True)])  # fmt: skip
            print(f"\rgrown to {start + len(chunks):,} chunks", end="", file=sys.stderr, flush=True)
        grown.save()  # the corpus has changed
    vector_index_build(space=space, least=0)
    refresh_terms()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE corpus_chunk, corpus_chunkvector")


def jittered(real, noise):
    """Return vectors around the real ones."""
    added = noise.normal(size=real.shape).astype(np.float32)
    noisy = real + NOISE * added / np.linalg.norm(added, axis=1, keepdims=True)
    return noisy / np.linalg.norm(noisy, axis=1, keepdims=True)


def _chunks(drawn, sentences, grown, start, chance):
    """Return new chunks, each as many sentences of anywhere as a real one has."""
    chunks, lecture = [], None
    for place, (_, text, context, tokens) in enumerate(drawn):
        if place % CHUNKS_A_LECTURE == 0:
            name = f"{GROWN}-{start + place}"
            lecture = Lecture.objects.create(collection=grown, key=name, title=name, text="", source_hash=name)
        address = f"{lecture.key}:{place % CHUNKS_A_LECTURE + 1}"
        words = " ".join(chance.choices(sentences, k=len(sentence_spans(text))))
        chunks.append(
            Chunk(collection=grown, lecture=lecture, kind="lecture", ordinal=place % CHUNKS_A_LECTURE,
                  address=address, address_keys=[address], heading=lecture.title, text=words, context=context,
                  tokens=tokens, paragraphs=[[0, len(words), address]], char_end=len(words), content_hash=address,
                  embedded_hash=address, folded_heading=lecture.title, folded_address=fold(address),
                  folded_text=fold(words), folded_context=fold(context))
        )  # fmt: skip
    return chunks


async def asked(text, viewer):
    """Return a turn's milliseconds by stage."""
    return (await turn_of(Question(text, viewer, Mode.INSTANT))).turn.clock.milliseconds()


async def measure(questions):
    """Return the milliseconds of each turn that looked something up: one at a time, and eight at once."""
    viewer, free = await in_thread(operator), asyncio.Semaphore(AT_ONCE)
    await asked(questions[0], viewer)  # the first turn loads the models

    async def among_others(text):
        async with free:
            return await asked(text, viewer)

    alone = [await asked(text, viewer) for text in questions[::2]]
    crowded = await asyncio.gather(*(among_others(text) for text in questions[1::2]))
    return [[turn for turn in turns if "discard" in turn] for turns in (alone, crowded)]


def line(size, how, turns):
    """Return a line of the table, and the p50 of looking up and discarding together."""
    both = [turn["retrieve"] + turn["discard"] for turn in turns]
    columns = [[turn[stage] for turn in turns] for stage in STAGES[:-1]] + [both, [turn["total"] for turn in turns]]
    cells = (f"{percentile(column, 0.5):.0f} / {percentile(column, 0.95):.0f}" for column in columns)
    return f"| {size:,} | {how} | {len(turns)} | {' | '.join(cells)} |", percentile(both, 0.5)


def main():
    sizes = sorted(int(size) for size in sys.argv[1:]) or [25_000]
    grown = set_up()
    questions = [row["question"] for row in read_rows(settings.DATA_DIR / "golden" / "dev.jsonl", QUESTION)]
    lines = [
        "## Speed of retrieval",
        "",
        "Milliseconds by stage in instant mode, p50 / p95, with the real embedder and cross-encoder, over the lectures "
        "and generated chunks: sentences drawn from all real ones, vectors around real ones at a cosine of about 0.8. "
        f"Questions of `golden/dev.jsonl`, half of them one at a time, the other half {AT_ONCE} at once, on "
        f"{os.cpu_count()} cores. Those that look nothing up are left out. Read by: "
        "`python -m tests.benchmarks.retrieval_speed`.",
        "",
        "| chunks | asked | turns | plan | retrieve | discard | retrieve + discard | total |",
        "|---:|---|---:|---|---|---|---|---|",
    ]
    after = []
    for size in sizes:
        grow(size, grown)
        before = os.getloadavg()[0]
        alone, crowded = asyncio.run(measure(questions))
        first, p50 = line(Chunk.objects.count(), "one at a time", alone)
        second, _ = line(Chunk.objects.count(), f"{AT_ONCE} at once", crowded)
        lines += [first, second]
        verdict = "met" if p50 <= GOAL_MS else "missed"
        after.append(
            f"{corpus_fingerprint()}: retrieve and discard p50 {p50:.0f} ms one at a time, goal ≤ {GOAL_MS} ms "
            f"{verdict}; models in {native()}; load average {before:.1f} before, {os.getloadavg()[0]:.1f} after; "
            f"peak memory of the process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB."
        )
        print(publish("retrieval_speed", [*lines, "", *after]))


if __name__ == "__main__":
    main()
