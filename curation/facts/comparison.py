"""The facts in force as the scan compares them, and the suspect pairs of a batch of them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple
from uuid import UUID

import numpy as np
from django.db.models import Q

from corpus.models import Chunk, Collection, EmbeddingSpace
from curation.domain.facts.consistency import RULES, ConsistencyRules, Signal, StoredFact, signals_of
from curation.facts.keys import words_key
from curation.facts.neighbours import FactNeighbours
from curation.models import Fact, FactVector
from lectorium.providers.protocols import Matrix

_COLUMNS = (
    "pk", "subject", "predicate", "object", "content", "kind", "holder", "valid_from", "confidence", "author",
    "address_key",
)  # fmt: skip


class SuspectPair(NamedTuple):
    """Places of two facts, the lower first, and why they are suspect."""

    one: int
    other: int
    signals: frozenset[Signal]


@dataclass(frozen=True, slots=True)
class ComparedFacts:
    """Facts in force, with their unit vectors (n, width); zeros where a fact has none."""

    facts: Sequence[StoredFact]
    vectors: Matrix

    def places(self) -> dict[UUID, int]:
        return {fact.id: place for place, fact in enumerate(self.facts)}


class PairFinder:
    """Finds suspect pairs by subject and predicate and by similarity; never compares all with all."""

    def __init__(self, compared: ComparedFacts, rules: ConsistencyRules = RULES) -> None:
        self._facts, self._rules = compared.facts, rules
        self._near = FactNeighbours(compared.vectors)
        self._groups: dict[tuple[object, object], list[int]] = defaultdict(list)
        for place in sorted(range(len(self._facts)), key=lambda place: self._facts[place].day or date.min):
            fact = self._facts[place]
            self._groups[fact.subject, fact.predicate].append(place)
        self._at = {place: at for group in self._groups.values() for at, place in enumerate(group)}

    def pairs(self, batch: Sequence[int], done: set[int]) -> list[SuspectPair]:
        """The suspect pairs of these places, each once, those with the latest facts first.

        done: places compared earlier in this run.
        """
        cosines: dict[tuple[int, int], float] = {}
        similar = self._near.of(batch, self._rules.similar, self._rules.neighbours)
        for place, near in zip(batch, similar, strict=True):
            for other, cosine in near:
                if other not in done:
                    cosines[_ordered(place, other)] = cosine
            for other in self._group_of(place):
                if other not in done:
                    cosines.setdefault(_ordered(place, other), 0.0)
        return sorted(self._suspect(cosines), key=self._latest, reverse=True)

    def _latest(self, pair: SuspectPair) -> date:
        return max(self._facts[place].day or date.min for place in (pair.one, pair.other))

    def _suspect(self, cosines: dict[tuple[int, int], float]) -> Iterator[SuspectPair]:
        for (one, other), cosine in cosines.items():
            signals = signals_of(self._facts[one], self._facts[other], cosine, self._rules)
            if signals:
                yield SuspectPair(one, other, signals)

    def _group_of(self, place: int) -> Iterator[int]:
        """Others of the same subject and predicate: all of few; of many the ends, and those nearest in time.

        So every one of many meets the latest, which supersedes it in one act, and not through each that was between.
        """
        fact = self._facts[place]
        group, at = self._groups[fact.subject, fact.predicate], self._at[place]
        half = self._rules.group // 2
        first = 0 if len(group) <= self._rules.group else max(0, at - half)
        last = len(group) if len(group) <= self._rules.group else at + half + 1
        near = dict.fromkeys((group[0], group[-1], *group[first:last]))
        return (other for other in near if other != place)


def _ordered(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def load_facts(space: EmbeddingSpace | None, today: date) -> ComparedFacts:
    """The facts in force that have begun, with what is stored of their vectors."""
    begun = Q(valid_from=None) | Q(valid_from__lte=today)
    rows = Fact.objects.filter(begun, superseded_by=None).exclude(grounding=Fact.Grounding.QUEUED).order_by("pk")
    values = list(rows.values_list(*_COLUMNS))
    audiences = _audiences({row[-1] for row in values})
    facts = [_stored(row, audiences.get(row[-1], "")) for row in values]
    return ComparedFacts(facts, _vectors(space, facts))


def _stored(row: tuple[object, ...], audience: str) -> StoredFact:
    pk, subject, predicate, object_, content, kind, holder, day, confidence, author, _ = row
    return StoredFact(
        pk, words_key(subject), words_key(predicate), words_key(object_), predicate, content, words_key(content),  # type: ignore[arg-type]
        kind, holder, day, confidence, not author, audience,  # type: ignore[arg-type]
    )  # fmt: skip


def _vectors(space: EmbeddingSpace | None, facts: Sequence[StoredFact]) -> Matrix:
    vectors = np.zeros((len(facts), space.width if space else 1), dtype=np.float32)
    if space:
        places = {fact.id: place for place, fact in enumerate(facts)}
        stored = FactVector.objects.filter(space=space).values_list("fact_id", "vector")
        for fact_id, vector in stored.iterator(chunk_size=10_000):
            if (place := places.get(fact_id)) is not None:
                vectors[place] = np.frombuffer(vector, dtype=np.float16)
    return vectors


def _audiences(keys: set[str]) -> dict[str, str]:
    """{address: who may read it}. Facts of different readers are never merged: one side would lose its fact."""
    seen = {
        pk: "public" if visibility == Collection.Visibility.PUBLIC else f"{visibility} {pk}"
        for pk, visibility in Collection.objects.values_list("pk", "visibility")
    }
    found: dict[str, str] = {}
    wanted = sorted(keys)
    for start in range(0, len(wanted), 5000):
        some = wanted[start : start + 5000]
        rows = Chunk.objects.filter(retrievable=True).at_address(some).values_list("address_keys", "collection_id")
        for held, collection in rows:
            found |= dict.fromkeys(held, seen[collection])
    return found
