"""What the reader costs: checking an answer, reading the clips of a turn, memory of the web process, size on disk.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.verification [NUMBER]
    LECTORIUM_STATE=$(mktemp -d) LECTORIUM_READER=small .venv/bin/python -m tests.benchmarks.verification [NUMBER]

Each writes its part of docs/results/verification.md: with the bigger base, and without. Needs LECTORIUM_DATA, and a
state folder of its own for each, which it fills with the samples. Models run on one thread. What a machine does beside
lengthens the clock, so processor time stands next to it.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ["LECTORIUM_MODEL_THREADS"] = "1"

import asyncio
import random
import shutil
import sys
import time
from importlib.metadata import distributions
from pathlib import Path
from uuid import uuid4

import django
import psutil

django.setup()

from django.conf import settings

from audit.domain.metrics import percentile
from chat.answering.ask import operator
from chat.answering.bridge import with_bridges
from chat.answering.domain.checking import CheckRules
from chat.answering.domain.footnotes import mint
from chat.answering.domain.modes import LIMITS, RULES
from chat.answering.domain.question import Mode, Question, Route
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.stream.tokens import Marker
from chat.answering.stages.discard import discard_candidates
from chat.answering.stages.plan import plan_question
from chat.answering.stages.read import read_candidates
from chat.answering.stages.retrieve import retrieve_candidates
from chat.answering.stages.verify import Verification
from corpus.domain.passage import Passage
from corpus.selectors import corpus_fingerprint, serving_space
from evaluation.golden_run import read_rows
from evaluation.labelled_claims import CLAIM
from evaluation.results import publish_part
from evaluation.stored_run import revision
from lectorium.providers import registry
from lectorium.providers.cross_encoder import SCORES
from lectorium.providers.memo import Memo
from lectorium.providers.precision import native
from lectorium.threads import in_thread
from tests.benchmarks.large_corpus import set_up
from tests.benchmarks.sample_questions import standalone_questions
from tests.drills.conftest import new_folder
from tests.drills.site import SHIPPED_MODELS, DrillSite

CLAIMS, NOTES = (1, 3, 6, 12), 12
NUMBER = 40  # answers of each length, and questions whose clips are read, half of them in each mode
WEB_ASKED = 12  # questions to the web process before its memory is read
PATIENCE = 600  # seconds for the web process to be ready
GOAL = 150  # milliseconds at p95 of six claims
MEGABYTE = 2**20
PARTS = ("With the bigger base", "Without it")
HEAD = f"""## What the reader costs

p50 / p95 in milliseconds, by processor time and by the clock. *Checking*: answers of so many claims, sentences
of one claim, one after the other, each against the paragraph it cites among {NOTES} notes, by the verifier and every
guard; what is not proved is looked for in up to {CheckRules().others} other notes. In a turn a sentence is checked
while the next is written, so a reader waits for one check. *Reading*: what the gate decides by, from the pool to its
decision, for questions about the samples. Models on one thread. Read by: `LECTORIUM_STATE=$(mktemp -d) python -m
tests.benchmarks.verification`, without the bigger base with `LECTORIUM_READER=small`.

Not measured: a processor without bfloat16, which takes about twice as long ([runtimes](cross_encoder.md)). With four
readers a web process with the bigger base takes 1.1 GB ([soak](soak_big.md))."""


class Watch:
    """Milliseconds since it was made: of this process's processor time, and of the clock."""

    def __init__(self):
        self._cpu, self._clock = time.process_time(), time.perf_counter()

    def read(self):
        return 1000 * (time.process_time() - self._cpu), 1000 * (time.perf_counter() - self._clock)


def labelled():
    """Return the evidence and the claim of the golden set's labelled claims."""
    rows = read_rows(settings.DATA_DIR / "golden" / "claims_dev.jsonl", CLAIM)
    return [(row["evidence"], row["claim"]) for row in rows]


def passage(text):
    return Passage(uuid4(), uuid4(), "lecture", "talk:1", "", text, "", 0)


def checked(pairs, rng, claims, verifier, number):
    """The times to check each answer, and those of its first sentence."""
    whole, first = [], []
    for _ in range(number):
        chosen = rng.sample(pairs, NOTES)
        notes = mint(passage(evidence) for evidence, _ in chosen)
        drafts = [
            DraftSentence(claim, "", 0, (Marker("note", alias),))
            for alias, (_, claim) in enumerate(chosen[:claims], start=1)
        ]
        verifier._scores = Memo(SCORES)  # claims come again in other answers, and their scores are remembered
        watch = Watch()
        checks = Verification(notes, verifier, CheckRules())
        for place, drafted in enumerate(drafts):
            checks.check(drafted)
            if not place:
                first.append(watch.read())
        whole.append(watch.read())
    return whole, first


async def clips_read(questions, mode):
    """The times to read the pool of each question and to decide."""
    viewer, space, rules, spent = await in_thread(operator), await in_thread(serving_space), RULES[mode], []
    for text in questions:
        plan = await in_thread(plan_question, Question(text, viewer, mode))
        if plan.route in {Route.SINGLE_HOP, Route.MULTI_HOP}:
            found = await retrieve_candidates(plan, viewer, LIMITS[mode], space)
            watch = Watch()
            pool = await in_thread(read_candidates, plan, found, rules)
            pool = await in_thread(with_bridges, plan, pool, viewer, rules, space)
            await in_thread(discard_candidates, plan, pool, rules, space)
            spent.append(watch.read())
    return spent


def web_memory():
    """Return megabytes of a web process with its models, when it is ready, and after some questions."""
    own = {name: os.environ[name] for name in ("LECTORIUM_MODELS", "LECTORIUM_READER_BASE") if name in os.environ}
    chosen = {"LECTORIUM_STATE": str(settings.STATE_DIR), "LECTORIUM_READER": settings.READER}
    site = DrillSite(new_folder(), **SHIPPED_MODELS | chosen | {"LECTORIUM_EMBEDDER": "auto"}, **own)
    try:
        web = site.start_web(wait="")
        site.wait_for("readyz", web, seconds=PATIENCE)
        process = psutil.Process(web.pid)
        ready = process.memory_full_info().pss
        for text in standalone_questions()[:WEB_ASKED]:
            asyncio.run(site.reader().ask(text, mode="auto"))
        return ready / MEGABYTE, process.memory_full_info().pss / MEGABYTE
    finally:
        site.close()
        shutil.rmtree(site.folder)


def disk_rows(*, with_base):
    """Return rows of megabytes on disk: what every installation has, and what the bigger base adds."""
    ours = Path(registry.__file__).parent
    yield "Python packages", sum(map(_size_of, distributions()))
    yield "small reader", _size(ours / "weights")
    if with_base:
        yield "adapters of the bigger base", _size(ours / "mpnet" / "weights")
        yield "bigger base", _size(Path(settings.READER_BASE))


def _size_of(distribution):
    return sum(file.size or 0 for file in distribution.files or ()) / MEGABYTE


def _size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / MEGABYTE


def spread(values):
    """Return two cells, p50 / p95: processor time, and the clock."""
    return [f"{percentile(column, 0.5):.0f} / {percentile(column, 0.95):.0f}" for column in zip(*values, strict=True)]


def claim_rows(pairs, verifier, number):
    """Yield the table of what checking takes, and the verdict at six claims."""
    rng, at_six = random.Random(7), 0.0
    checked(pairs, rng, 1, verifier, 1)  # loads the weights
    yield from ("| claims | whole answer, CPU | clock | first sentence, CPU | clock |", "|---|---|---|---|---|")
    for claims in CLAIMS:
        whole, first = checked(pairs, rng, claims, verifier, number)
        at_six = percentile([cpu for cpu, _ in whole], 0.95) if claims == 6 else at_six
        yield f"| {claims} | {' | '.join([*spread(whole), *spread(first)])} |"
    verdict = "met" if at_six <= GOAL else "missed"
    yield from ("", f"Six claims, processor time: p95 {at_six:.0f} ms, goal ≤ {GOAL} ms {verdict}.", "")


def clip_rows(number):
    """Yield the table of what reading takes, by mode. The modes get other questions, since scores are remembered."""
    texts = standalone_questions()[: number + 2]
    asyncio.run(clips_read(texts[number:], Mode.AUTO))  # loads the weights
    yield from ("| reading, mode | questions | CPU | clock |", "|---|---:|---|---|")
    for mode, own in ((Mode.INSTANT, texts[:number:2]), (Mode.AUTO, texts[1:number:2])):
        spent = asyncio.run(clips_read(own, mode))
        yield f"| {mode.value} | {len(spent)} | {' | '.join(spread(spent))} |"


def main():
    set_up(0)
    number = int(sys.argv[1]) if len(sys.argv) > 1 else NUMBER
    verifier, with_base = registry.verifier(), registry.clip_reader() is not None
    before = os.getloadavg()[0]
    tables = [*claim_rows(labelled(), verifier, number), *clip_rows(number)]
    ready, asked = web_memory()
    lines = [
        f"`{verifier.name}`, embedder {registry.embedder().name}, in {native()}, over {corpus_fingerprint()}; {number} "
        f"answers of each length; {time.strftime('%Y-%m-%d')}, revision {revision()}. Load average {before:.1f} "
        f"before, {os.getloadavg()[0]:.1f} after, on {os.cpu_count()} cores.",
        "",
        *tables,
        "",
        f"Memory of the web process (proportional set size): {ready:.0f} MB when it is ready, {asked:.0f} MB after "
        f"{WEB_ASKED} questions in auto mode.",
        "",
        "| on disk | MB |",
        "|---|---:|",
        *(f"| {name} | {size:,.0f} |" for name, size in disk_rows(with_base=with_base)),
    ]
    publish_part("verification", HEAD, PARTS[not with_base], lines, expected=PARTS)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
