"""The readers' page of facts: what sources say, each with its words and clip, and where two sources disagree."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpus.catalogue.links import clip_url, place_url
from corpus.domain.passage import Passage
from corpus.domain.scope import Scope
from corpus.models import Collection
from curation.facts.selectors import (
    facts_as_of,
    facts_in_force,
    open_contradictions,
    stands_within,
    where_it_stands,
)
from curation.facts.tables import day_of
from curation.models import Contradiction, Fact

FACTS, CONFLICTS = 25, 10
MOST_TYPED = 200


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact with its passage, and the URLs of its place and clip ("" without a recording)."""

    fact: Fact
    passage: Passage
    place: str
    clip: str


@dataclass(frozen=True, slots=True)
class ConflictView:
    """An open contradiction with both sides visible to the reader."""

    subject: str
    note: str
    sides: tuple[FactView, FactView]


@require_safe
def facts(request: HttpRequest) -> HttpResponse:
    """The facts whose source the reader may see, with the words of `q`: in force, or as they held on the day `on`."""
    words = request.GET.get("q", "").strip()[:MOST_TYPED].replace("\0", "")
    scope = Scope(Collection.objects.keys_visible_to(request.user))
    day = day_of(request.GET.get("on", ""))
    held = facts_as_of(day) if day else facts_in_force()
    page: Page[Fact] = Paginator(_visible(held, scope, words), FACTS).get_page(request.GET.get("page"))
    shown = [view for fact in page if (view := view_of(fact, scope))]
    context = {"page": page, "words": words, "day": day, "facts": shown, "conflicts": _conflicts(shown, scope)}
    return render(request, "curation/facts.html", context)


def view_of(fact: Fact, scope: Scope) -> FactView | None:
    """None where its evidence does not stand within the scope."""
    passage = where_it_stands(fact, scope)
    if not passage:
        return None
    start = passage.text.index(fact.evidence)
    span = (start, start + len(fact.evidence))
    return FactView(fact, passage, place_url(passage, span), clip_url(passage, span) or "")


def _visible(held: QuerySet[Fact], scope: Scope, words: str) -> QuerySet[Fact]:
    named = Q(subject__icontains=words) | Q(content__icontains=words) if words else Q()
    return held.filter(named, stands_within(scope)).order_by("subject", "-confidence", "pk")


def _conflicts(shown: Sequence[FactView], scope: Scope) -> list[ConflictView]:
    """The open contradictions of the facts on this page whose other side the reader may see too."""
    found: dict[UUID, ConflictView] = {}
    linked: Sequence[Contradiction] = open_contradictions(view.fact for view in shown)
    for contradiction in linked[:CONFLICTS]:
        one, other = (view_of(fact, scope) for fact in (contradiction.one, contradiction.other))
        if one and other:
            found[contradiction.pk] = ConflictView(contradiction.one.subject, contradiction.note, (one, other))
    return list(found.values())
