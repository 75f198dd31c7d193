"""Decides what a reader may still see of earlier answers: a quote is shown if it stands in a source they see today."""

from collections.abc import Iterable
from urllib.parse import urlsplit
from uuid import UUID

from django.urls import Resolver404, resolve

from chat.answering.domain.viewer import Viewer
from chat.conversations.domain.masking import Shows, Values, quotes_of
from chat.conversations.domain.rechecking import CitationStatus, Reference
from chat.conversations.recheck import citations_recheck
from corpus.domain.addresses.address import address_key
from corpus.models import Chunk


def visible_quotes(viewer: Viewer, answers: Iterable[Values]) -> Shows:
    """Return a predicate: may a quote of these responses or events be shown? All are looked up together.

    It may where its passage is still within the viewer's collections, or where its words stand in another one there.
    """
    collections = (*viewer.collections, *viewer.elsewhere)  # what a question left out may still be remembered
    quotes = [quote for values in answers for quote in quotes_of(values)]
    chunks = Chunk.objects.filter(retrievable=True).in_collections(collections)
    asked = {quote["chunk"] for quote in quotes if quote.get("chunk")}
    found = {str(pk) for pk in chunks.filter(pk__in=asked).values_list("pk", flat=True)} if asked else set()
    rest = [quote for quote in quotes if quote.get("chunk") not in found]
    keys = {address_key(quote["address"]) for quote in rest}
    texts = list(chunks.at_address(sorted(keys)).values_list("text", flat=True)) if keys else []
    words = {quote["quote"] for quote in rest if any(quote["quote"] in text for text in texts)}
    for quote in rest:
        if quote["quote"] not in words and _stands_elsewhere(quote, collections):
            words.add(quote["quote"])
    return lambda quote: quote.get("chunk") in found or quote["quote"] in words


def visible_sources(viewer: Viewer, answers: Iterable[Values]) -> Shows:
    """Return a predicate: may the viewer open the very source that a quote links to and its title names?

    It is asked for a visitor, who need never have been allowed to know of a source whose words they find elsewhere.
    """
    asked = {source for values in answers for quote in quotes_of(values) if (source := _source_of(quote))}
    chunks = Chunk.objects.filter(retrievable=True).in_collections((*viewer.collections, *viewer.elsewhere))
    lectures = chunks.filter(lecture_id__in=asked).values_list("lecture_id", flat=True)
    works = chunks.filter(work_id__in=asked).values_list("work_id", flat=True)
    found = {*lectures.distinct(), *works.distinct()} if asked else set()
    return lambda quote: _source_of(quote) in found


def _source_of(quote: Values) -> UUID | None:
    try:
        place = resolve(urlsplit(quote.get("url", "")).path).kwargs
    except (Resolver404, ValueError):
        return None
    source: UUID | None = place.get("lecture_id") or place.get("work_id")
    return source


def _stands_elsewhere(quote: Values, collections: tuple[UUID, ...]) -> bool:
    reference = Reference(0, None, "", 0, 0, quote["quote"], quote["address"])
    [citation] = citations_recheck([reference], collections)
    return citation.standing is CitationStatus.MOVED
