"""Guard 2 over many synthetic facts with planted pairs: precision and recall by verdict, time and memory.

Everything is stored in one transaction that is rolled back.
"""

import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from django.db import transaction

from audit.domain.metrics import Share
from corpus.domain.transcript import SourceParagraph
from corpus.importers.drafts import LectureDraft
from corpus.models import Collection, EmbeddingSpace
from corpus.services.lectures import lecture_store
from curation.facts.scan import ConsistencyScan
from curation.models import Fact, FactChange, FactVector
from evaluation.facts.planted_clusters import VERDICTS, SyntheticFact, background, planted_pairs
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.report_table import table

WIDTH, BATCH = 384, 2000
ADDRESS, WORDS = "scan-benchmark:1", "Every synthetic fact stands here."


@dataclass(frozen=True, slots=True)
class ScanFigures:
    """scans: runs until all were compared. precision, recall: by verdict. counts: pairs by outcome. memory: peak of the
    process, bytes.
    """

    facts: int
    planted: int
    seconds: float
    load_seconds: float
    memory: int
    precision: Mapping[str, Share]
    recall: Mapping[str, Share]
    counts: Mapping[str, int]
    scans: int


def measure_scan(facts: int, planted: int, seed: int, on_batch: Callable[[int], object]) -> ScanFigures:
    """Scan `facts` synthetic facts, among them `planted` pairs. Nothing stays in the database."""
    chance = random.Random(seed)  # noqa: S311 - a reproducible choice
    with transaction.atomic():
        Fact.objects.filter(superseded_by=None).update(compared_at=None)
        began = time.perf_counter()
        pairs = list(planted_pairs(planted, chance))
        rows = [*(fact for pair in pairs for fact in pair.facts), *background(facts - 2 * planted, chance)]
        ids = store_facts(rows)
        stored = time.perf_counter()
        counts, scans, left = Counter[str](), 0, True
        while left:
            done, scans = 0, scans + 1
            for scan in ConsistencyScan().run():
                on_batch(scan.compared - done)
                done = scan.compared
            counts.update(scan.counts)
            left = 0 < done < scan.total
        seconds = time.perf_counter() - stored
        found = {frozenset(pair): verdict for *pair, verdict in FactChange.objects.values_list("fact", "by", "verdict")}
        expected = {frozenset(ids[2 * at : 2 * at + 2]): pair.verdict for at, pair in enumerate(pairs)}
        transaction.set_rollback(True)
    return ScanFigures(
        len(rows), planted, seconds, stored - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        {verdict: Share.of(expected.get(pair) == verdict for pair, given in found.items() if given == verdict)
         for verdict in VERDICTS[:3]},
        {verdict: Share.of(found.get(pair, "distinct") == verdict for pair, right in expected.items()
                           if right == verdict) for verdict in VERDICTS},
        counts, scans,
    )  # fmt: skip


def store_facts(rows: list[SyntheticFact]) -> list[UUID]:
    """Store the facts with their vectors by word counts, in a space of their own; their ids in order."""
    collection = Collection.objects.create(key="scan-benchmark", title="Scan benchmark")
    draft = LectureDraft("benchmark", "scan-benchmark", "Scan benchmark", (SourceParagraph(WORDS, ADDRESS),))
    lecture_store(draft=draft, collection=collection, source_hash="")
    EmbeddingSpace.objects.filter(state="serving").update(state="retired")
    space = EmbeddingSpace.objects.create(model="scan-benchmark", width=WIDTH, state="serving")
    embedder, ids = HashingEmbedder(WIDTH), list[UUID]()
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        facts = Fact.objects.bulk_create(_row(fact) for fact in some)
        vectors = embedder.embed_passages([fact.content for fact in some]).astype(np.float16)
        FactVector.objects.bulk_create(
            FactVector(fact=fact, space=space, content=fact.content, vector=vector.tobytes())
            for fact, vector in zip(facts, vectors, strict=True)
        )
        ids += [fact.pk for fact in facts]
    return ids


def _row(fact: SyntheticFact) -> Fact:
    return Fact(
        subject=fact.subject, predicate=fact.predicate, object=fact.object, content=fact.content, valid_from=fact.day,
        address=ADDRESS, address_key="scan-benchmark 1", evidence=WORDS, author="rules", grounding="supported",
        confidence=0.9,
    )  # fmt: skip


def scan_part(found: ScanFigures, machine: str) -> list[str]:
    """Lines of docs/results/facts.md."""
    outcomes = ", ".join(f"{number:,} {name}" for name, number in sorted(found.counts.items()))
    return [
        f"{found.facts:,} synthetic facts with {found.planted:,} planted pairs, all compared for the first time "
        f"in {found.scans} run{'s' if found.scans > 1 else ''}: "
        f"**{found.seconds:.0f} s**, peak memory {found.memory / 2**20:,.0f} MiB, {machine}. Vectors are word "
        f"counts of {WIDTH} dimensions, stored before the clock starts ({found.load_seconds:.0f} s): embedding is what "
        "indexing takes for as many short passages. The judge is the rules and the local cross-encoder. Suspect pairs: "
        f"{outcomes}. The forms were written by the author of the scan: they measure finding and acting among many "
        "facts, not understanding of language. Regenerate: `manage.py evaluate_facts scan`.",
        "",
        *table(("verdict", "precision", "recall"), _rows(found)),
    ]


def _rows(found: ScanFigures) -> Iterator[tuple[object, ...]]:
    for verdict in VERDICTS:
        yield verdict.replace("_", " "), found.precision.get(verdict, "–"), found.recall[verdict]
