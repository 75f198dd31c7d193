"""The facts that take part in a turn, and their open contradictions."""

from collections.abc import Iterable, Sequence

from django.db.models import Q

from corpus.domain.addresses.address import address_keys
from corpus.domain.passage import Passage
from corpus.domain.scope import Scope
from corpus.selectors import ANYWHERE, passages_at
from curation.models import Contradiction, Fact


def standing_facts(passages: Sequence[Passage]) -> list[tuple[Fact, list[Passage]]]:
    """Facts in force whose evidence is in one of the passages at the fact's address, most confident first.

    Each comes with the passages that contain its evidence, those at its address first. One query.
    """
    at = {passage.chunk_id: _keys(passage) for passage in passages}
    every = set().union(*at.values()) if at else set()
    found = []
    for fact in Fact.objects.filter(superseded_by=None, address_key__in=every):
        holding = [passage for passage in passages if fact.evidence in passage.text]
        there = [passage for passage in holding if fact.address_key in at[passage.chunk_id]]
        if there:
            found.append((fact, [*there, *(passage for passage in holding if passage not in there)]))
    return found


def open_contradictions(facts: Iterable[Fact]) -> list[Contradiction]:
    """Open contradictions, oldest first, that involve one of these facts and whose sides are both in force."""
    ids = [fact.pk for fact in facts]
    if not ids:
        return []
    touching = Contradiction.objects.filter(Q(one__in=ids) | Q(other__in=ids), resolved_at=None)
    counting = touching.filter(one__superseded_by=None, other__superseded_by=None)
    return list(counting.select_related("one", "other").order_by("created_at", "pk"))


def where_it_stands(fact: Fact, scope: Scope = ANYWHERE) -> Passage | None:
    """A passage within the scope that contains the fact's evidence at its address; None without one."""
    return next((passage for passage in passages_at(fact.address, scope) if fact.evidence in passage.text), None)


def _keys(passage: Passage) -> set[str]:
    addresses = {passage.address, *(paragraph.address for paragraph in passage.paragraphs)}
    return {key for address in addresses for key in address_keys(address)}
