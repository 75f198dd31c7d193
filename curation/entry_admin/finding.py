"""The search of the form: passages for what an editor types, addresses first.

It runs at every pause of the typing, so it compares words and vectors only and reads nothing.
"""

import logging
from collections.abc import Iterator
from uuid import UUID

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from corpus.domain.passage import Paragraph, Passage
from corpus.domain.scope import Scope
from corpus.indexing.nearest import nearest_chunks
from corpus.language import lexemes
from corpus.models import Chunk
from corpus.selectors import passages, serving_space, space_embedder
from curation.entries import scope_of
from curation.places import ReferenceView, passage_view, places_named, reference_views
from lectorium.providers.errors import ProviderError

log = logging.getLogger(__name__)
SHOWN = 8
SHORTEST = 3  # characters to search for
LONGEST = 400
WORDS = 12


def find_passages(request: HttpRequest) -> HttpResponse:
    """A list of passages as HTML."""
    if not request.user.has_perm("curation.view_pinnedquestion"):
        raise PermissionDenied
    found = passages_for(request.GET.get("q", "")[:LONGEST], scope_of(request.user))
    return render(request, "admin/curation/entry/found.html", {"references": found})


def passages_for(typed: str, scope: Scope) -> list[ReferenceView]:
    """Those at an address first, then those with all words, then those near in meaning."""
    addresses = places_named(typed, scope)
    if addresses or len(typed.strip()) < SHORTEST:
        return reference_views(addresses[:SHOWN], scope)
    words = lexemes(typed)[:WORDS]
    ids = list(dict.fromkeys([*_with_words(words, scope), *_near_in_meaning(typed, scope)]))[:SHOWN]
    found = {_address_meant(words, passage): passage for passage in passages(ids)}
    return [passage_view(address, passage) for address, passage in found.items()]


def _address_meant(words: tuple[str, ...], passage: Passage) -> str:
    """That of the paragraph with most of the typed words, the longest of several; the last may be unfinished."""

    def worth(paragraph: Paragraph) -> tuple[int, int]:
        held = lexemes(passage.text[paragraph.start : paragraph.end])
        finished = sum(word in held for word in words[:-1])
        last = any(word.startswith(words[-1]) for word in held) if words else False
        return finished + last, paragraph.end - paragraph.start

    best = max(passage.paragraphs, key=worth, default=None)
    return best.address if best else passage.address


def _with_words(words: tuple[str, ...], scope: Scope) -> Iterator[UUID]:
    """Chunks with every word; the last one may be unfinished."""
    if words:
        terms = SearchQuery(" & ".join((*words[:-1], f"{words[-1]}:*")), search_type="raw", config="simple")
        holding = Chunk.objects.within(scope).filter(search_vector=terms)
        rank = SearchRank(F("search_vector"), terms, normalization=1)
        yield from holding.annotate(rank=rank).order_by("-rank", "pk").values_list("pk", flat=True)[: SHOWN // 2]


def _near_in_meaning(typed: str, scope: Scope) -> Iterator[UUID]:
    space = serving_space()
    if space is None:
        return
    try:
        vectors = space_embedder(space).embed_questions([typed])
    except ProviderError:  # words and addresses are found all the same
        log.warning("The words of an editor's search could not be embedded", exc_info=True)
        return
    (near,) = nearest_chunks(space, vectors, scope, SHOWN)
    yield from (chunk_id for _, chunk_id in near)
