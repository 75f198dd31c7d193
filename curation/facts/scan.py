"""The consistency scan over stored facts. Batches are committed, so a killed scan goes on where it stopped."""

from collections import Counter
from collections.abc import Iterator, Sequence
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from corpus.models import EmbeddingSpace
from corpus.selectors import serving_space
from curation.domain.facts.consistency import RULES, ConsistencyRules, StoredFact
from curation.facts.changes import JudgedPair, change_apply, touched
from curation.facts.comparison import ComparedFacts, PairFinder, SuspectPair, load_facts
from curation.facts.judging import PairJudge
from curation.facts.selectors import where_it_stands
from curation.models import Fact, FactScan, FactVector, SubjectReview
from lectorium.providers import registry
from lectorium.providers.protocols import Verifier

BATCH = 500  # facts compared and stored together
EMBEDDED = 256


class ConsistencyScan:
    """One run over the facts that changed since they were last compared."""

    def __init__(self, rules: ConsistencyRules = RULES, reader: Verifier | None = None) -> None:
        self._rules, self._reader = rules, reader
        self._contradictions: Counter[tuple[str, ...]] = Counter()
        self._gone: set[UUID] = set()

    def run(self) -> Iterator[FactScan]:
        """Compare; yields the scan after each batch."""
        space = serving_space()
        if space:
            facts_embed(space)
        compared = load_facts(space, timezone.localdate())
        waiting = set(Fact.objects.filter(compared_at=None, superseded_by=None).values_list("pk", flat=True))
        due = [place for place, fact in enumerate(compared.facts) if fact.id in waiting]
        scan = FactScan.objects.create(total=len(due), in_force=len(compared.facts))
        finder, done = PairFinder(compared, self._rules), set[int]()
        with PairJudge(self._rules, self._reader) as judge:
            for start in range(0, len(due), BATCH):
                batch = due[start : start + BATCH]
                self._compare(scan, compared, batch, finder.pairs(batch, done), judge)
                done.update(batch)
                yield scan
                if judge.read >= self._rules.readings:
                    break
        scan.finished_at = timezone.now()
        scan.save(update_fields=["finished_at"])
        yield scan

    def _compare(
        self,
        scan: FactScan,
        compared: ComparedFacts,
        batch: Sequence[int],
        pairs: Sequence[SuspectPair],
        judge: PairJudge,
    ) -> None:
        facts = compared.facts
        judged = judge.judge([(facts[pair.one], facts[pair.other]) for pair in pairs])
        counts = Counter(scan.counts)
        with transaction.atomic():
            for pair, found in zip(pairs, judged, strict=True):
                settled = JudgedPair(
                    facts[pair.one].id, facts[pair.other].id, pair.signals, found.judgement, found.judge
                )
                counts[self._act(scan, compared, pair, settled)] += 1
            now = timezone.now()
            Fact.objects.filter(pk__in=[facts[place].id for place in batch]).update(compared_at=now)
            scan.compared, scan.counts, scan.seen_at = scan.compared + len(batch), dict(counts), now
            scan.save(update_fields=["compared", "counts", "seen_at"])

    def _act(self, scan: FactScan, compared: ComparedFacts, pair: SuspectPair, judged: JudgedPair) -> str:
        """What was done about the pair: its verdict, or why nothing was."""
        verdict, one, other = judged.judgement.verdict, compared.facts[pair.one], compared.facts[pair.other]
        if verdict == "distinct" or {one.id, other.id} & self._gone:
            return "distinct" if verdict == "distinct" else "settled"
        if verdict != "contradiction" and one.audience != other.audience:
            return "other readers"
        if verdict == "contradiction":
            self._contradictions[one.subject] += 1
            if self._contradictions[one.subject] > self._rules.contradictions:
                if self._contradictions[one.subject] == self._rules.contradictions + 1:
                    _open_review(one)
                return "left to a review of the subject"
        if not all(_stands(fact) for fact in (one.id, other.id)):
            return "without a source"
        change = change_apply(pair=judged, scan=scan)
        if change:
            self._gone |= touched([change])
        return verdict if change else "settled"


def _stands(fact_id: UUID) -> bool:
    fact = Fact.objects.filter(pk=fact_id).first()
    return fact is not None and where_it_stands(fact) is not None


def _open_review(fact: StoredFact) -> None:
    subject = Fact.objects.values_list("subject", flat=True).get(pk=fact.id)
    SubjectReview.objects.get_or_create(
        subject_key=" ".join(fact.subject)[:200], closed_at=None, defaults={"subject": subject}
    )


def facts_embed(space: EmbeddingSpace) -> None:
    """Embed the contents of facts in force that have no vector in this space."""
    stored = FactVector.objects.filter(fact=OuterRef("pk"), space=space, content=OuterRef("content"))
    rows = Fact.objects.filter(~Exists(stored), superseded_by=None).order_by("pk").values_list("pk", "content")
    due = list(rows)
    for start in range(0, len(due), EMBEDDED):
        some = due[start : start + EMBEDDED]
        vectors = registry.embedder(space.model).embed_passages([content for _, content in some]).astype(np.float16)
        FactVector.objects.bulk_create(
            [
                FactVector(fact_id=pk, space=space, content=content, vector=vector.tobytes())
                for (pk, content), vector in zip(some, vectors, strict=True)
            ],
            update_conflicts=True, unique_fields=["fact", "space"], update_fields=["content", "vector"],
        )  # fmt: skip
