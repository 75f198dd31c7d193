"""The facts that take part in a turn, their open contradictions, and what held on a day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from corpus.domain.addresses.address import address_keys
from corpus.domain.passage import Passage
from corpus.domain.scope import Scope
from corpus.models import Chunk
from corpus.selectors import ANYWHERE, passages_at
from curation.models import Contradiction, Fact, FactCheck, FactReading

EQUIVALENT = Fact.Because.EQUIVALENT


def facts_in_force() -> QuerySet[Fact]:
    """Facts that nothing supersedes, that have begun, and that do not wait for a verifier."""
    return _begun(timezone.localdate()).filter(superseded_by=None)


def facts_as_of(day: date) -> QuerySet[Fact]:
    """Facts that held on a day, also those that another replaced later. A fact without a beginning always began."""
    return _begun(day).filter(Q(valid_to=None) | Q(valid_to__gt=day), Q(superseded_by=None) | _was_replaced())


def standing_facts(passages: Sequence[Passage]) -> list[tuple[Fact, list[Passage]]]:
    """Facts in force whose evidence is in one of the passages at the fact's address, most confident first.

    Each comes with the passages that contain its evidence, those at its address first. Where a passage has the words of
    a fact that was merged, the fact that says the same comes with these words as its evidence. One query.
    """
    at = {passage.chunk_id: _keys(passage) for passage in passages}
    every = set().union(*at.values()) if at else set()
    found: dict[object, tuple[Fact, list[Passage]]] = {}
    merged = Q(superseded_because=EQUIVALENT, superseded_by__superseded_by=None)
    rows = _begun(timezone.localdate()).filter(Q(superseded_by=None) | merged, address_key__in=every)
    own_first = F("superseded_by").asc(nulls_first=True)
    for row in rows.select_related("superseded_by").order_by(own_first, "-confidence", "pk"):
        holding = [passage for passage in passages if row.evidence in passage.text]
        there = [passage for passage in holding if row.address_key in at[passage.chunk_id]]
        fact = row.superseded_by or row
        if there and fact.pk not in found:
            fact.address, fact.evidence = row.address, row.evidence  # for reading; not saved
            found[fact.pk] = (fact, [*there, *(passage for passage in holding if passage not in there)])
    return sorted(found.values(), key=lambda pair: (-pair[0].confidence, pair[0].pk))


def open_contradictions(facts: Iterable[Fact]) -> list[Contradiction]:
    """Open contradictions, oldest first, that involve one of these facts and whose sides are both in force."""
    ids = [fact.pk for fact in facts]
    if not ids:
        return []
    touching = Contradiction.objects.filter(Q(one__in=ids) | Q(other__in=ids), resolved_at=None)
    counting = touching.filter(one__superseded_by=None, other__superseded_by=None)
    return list(counting.select_related("one", "other").order_by("created_at", "pk"))


def settled_evidence(passages: Sequence[Passage]) -> list[tuple[str, str]]:
    """The evidence of both sides of each settled contradiction whose sides are at addresses of these passages."""
    keys = set().union(*map(_keys, passages)) if passages else set()
    settled = Contradiction.objects.filter(resolved_at__isnull=False)
    there = settled.filter(one__address_key__in=keys, other__address_key__in=keys)
    return list(there.values_list("one__evidence", "other__evidence"))


def where_it_stands(fact: Fact, scope: Scope = ANYWHERE) -> Passage | None:
    """A passage within the scope that contains the fact's evidence at its address; None without one."""
    return next((passage for passage in passages_at(fact.address, scope) if fact.evidence in passage.text), None)


def stands_within(scope: Scope) -> Exists:
    """The condition for `where_it_stands` to find a passage."""
    passages = Chunk.objects.within(scope, duplicates=True)
    return Exists(
        passages.filter(address_keys__contains=[OuterRef("address_key")], text__contains=OuterRef("evidence"))
    )


@dataclass(frozen=True, slots=True)
class FactProgress:
    """How many passages and sources were read for facts as they are now, of how many."""

    passages: int
    passages_in_all: int
    sources: int
    sources_in_all: int


def fact_progress(due: QuerySet[Chunk]) -> FactProgress:
    """due: the passages that were not read yet. A source counts once all its passages are read."""
    chunks = Chunk.objects.filter(retrievable=True, duplicate_of=None)
    numbers = {
        "passages": Count("pk"),
        "lectures": Count("lecture", distinct=True),
        "works": Count("work", distinct=True),
    }
    every, waiting = chunks.order_by().aggregate(**numbers), due.order_by().aggregate(**numbers)
    sources, unread = (found["lectures"] + found["works"] for found in (every, waiting))
    return FactProgress(every["passages"] - waiting["passages"], every["passages"], sources - unread, sources)


def grounding_counts(since: date | None = None) -> dict[str, int]:
    """{verdict: number} of the candidates checked since a day, and "rejected": lines of a model that were no facts."""
    checks, readings = FactCheck.objects.all(), FactReading.objects.exclude(rejected={})
    if since:
        checks, readings = checks.filter(at__date__gte=since), readings.filter(at__date__gte=since)
    counts = dict(checks.order_by().values_list("verdict").annotate(Count("pk")))
    counts["rejected"] = sum(sum(row.values()) for row in readings.values_list("rejected", flat=True))
    return counts


def _begun(day: date) -> QuerySet[Fact]:
    begun = Q(valid_from=None) | Q(valid_from__lte=day)
    return Fact.objects.filter(begun).exclude(grounding=Fact.Grounding.QUEUED)


def _was_replaced() -> Q:
    """Superseded by a later fact, not merged into one that says the same."""
    return Q(superseded_by__isnull=False) & ~Q(superseded_because=EQUIVALENT)


def _keys(passage: Passage) -> set[str]:
    addresses = {passage.address, *(paragraph.address for paragraph in passage.paragraphs)}
    return {key for address in addresses for key in address_keys(address)}
