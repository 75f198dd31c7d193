"""The search page: passages without an answer. Works without JavaScript; no search is recorded."""

import logging
import re
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.contrib.humanize.templatetags.humanize import ordinal
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.answering.calibrations import MissingCalibration
from chat.answering.domain.evidence.pool import Candidate
from chat.answering.domain.query.asked_scope import BadScope
from chat.answering.domain.query.checks import BadMessage, check_question
from chat.answering.domain.question import QueryPlan
from chat.answering.domain.viewer import Viewer
from chat.answering.domain.words import sentences_in
from chat.answering.payloads import describe_search, source_item
from chat.conversations.local_titles import with_translated_titles
from chat.conversations.local_words import local_message
from chat.conversations.scopes import scope_groups, scope_values
from chat.conversations.viewers import viewer_of
from chat.live.admission import TooManyTurns
from chat.live.budgets import ACCOUNT
from chat.search.extract import extract_of
from chat.search.lookup import look_up
from corpus.catalogue.languages import by_language, languages_of
from corpus.domain.clock import clock
from corpus.language import lexeme
from corpus.selectors import corpus_size
from lectorium.providers.errors import ProviderError
from lectorium.web.lockout import client_address

log = logging.getLogger(__name__)

RESULTS = 20
UNAVAILABLE = _("Search is not available right now. If this continues, tell the operator of this site.")
LANE_LABELS = {
    "address": _("by address"),
    "curated": _("by an editor’s choice"),
    "dense": _("by meaning"),
    "sentence": _("by one sentence"),
    "lexical": _("by words"),
    "spelling": _("by spelling"),
    "neighbourhood": _("near the last citation"),
}
UNRANKED = {"address", "curated", "neighbourhood"}  # these lanes have no ranking
_PARAGRAPH = re.compile(r"[:#\s](\d+)$")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A passage found by a search.

    place: as in a citation. quote: the words shown. where: its time, address or paragraph. pieces: its extract, as
    (text, whether it matches). found: the lanes that found it. cut_before, cut_after: whether the passage has more text
    on that side.
    """

    place: dict[str, Any]
    quote: str
    where: str
    date: date | None
    pieces: list[tuple[str, bool]]
    found: str
    cut_before: bool
    cut_after: bool


@require_safe
@never_cache
def search(request: HttpRequest) -> HttpResponse:
    """The passages closest to `q` within `scope` that the reader may see.

    400 for an invalid query or scope, 429 for too many searches, 503 if the index cannot be searched; the page
    explains.
    """
    if not request.user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return redirect_to_login(request.get_full_path())
    asked, scope = request.GET.get("q", "").strip(), request.GET.get("scope", "")
    everything = viewer_of(request.user, request.session.session_key)
    size, scopes = corpus_size(everything.collections), scope_groups(everything)
    is_empty = not (size.lectures or size.verses or size.library_passages)
    context: dict[str, Any] = {
        "asked": asked,
        "scope": scope,
        "scopes": scopes,
        "other_scope": "" if scope in scope_values(scopes) else scope,
        "is_empty": is_empty,
        "as_question": f"{reverse('chat')}?{urlencode({'question': asked, **({'scope': scope} if scope else {})})}",
    }
    status, wait = 200, 0
    try:
        if asked and not is_empty:
            viewer = viewer_of(request.user, request.session.session_key, scope)
            context |= _search_results(request, check_question(asked, settings.QUESTION_MAX_CHARS), viewer)
    except (BadMessage, BadScope) as error:
        status, context["problem"] = 400, local_message(str(error))
    except TooManyTurns as error:
        status, wait, context["problem"] = 429, error.seconds, local_message(str(error))
    except (ProviderError, MissingCalibration):
        log.exception("search failed")
        status, context["problem"] = 503, UNAVAILABLE
    response = render(request, "chat/search.html", context, status=status)
    by_language(response)
    if wait:
        response.headers["Retry-After"] = str(wait)
    return response


def _search_results(request: HttpRequest, query: str, viewer: Viewer) -> dict[str, Any]:
    """The template's values for a search. Raises TooManyTurns for the reader, their network or the whole site."""
    address, session = client_address(request) or "", request.session.session_key or ""
    reader = f"{ACCOUNT}{viewer.user_id}" if viewer.user_id else session or address
    # Runs on the event loop of the turns, so that admission control counts both.
    plan, candidates = async_to_sync(look_up)(
        query, viewer, limit=RESULTS, reader=reader, address=address, session=session
    )
    return {
        "results": _in_words_of(request, [_result(plan, candidate) for candidate in candidates]),
        "searched": local_message(describe_search(viewer).removeprefix("searching ")) if viewer.collections else "",
        "faults": [local_message(fault) for fault in plan.address_faults],
    }


def _result(plan: QueryPlan, candidate: Candidate) -> SearchResult:
    passage = candidate.passage
    synonyms = {form[0] for forms in plan.alternatives.values() for form in forms if len(form) == 1}
    sentences = sentences_in(passage.text, partial(lexeme, language=passage.language))
    extract = extract_of(sentences, synonyms.union(plan.words))
    place = source_item(passage, extract.span)
    return SearchResult(
        place=place,
        quote=passage.text[slice(*extract.span)],
        where=place_label(place),
        date=date.fromisoformat(passage.date) if passage.date else None,
        pieces=extract.pieces(passage.text),
        found=_lanes_text(candidate),
        cut_before=bool(passage.text[: extract.span[0]].strip()),
        cut_after=bool(passage.text[extract.span[1] :].strip()),
    )


def _in_words_of(request: HttpRequest, results: list[SearchResult]) -> list[SearchResult]:
    """The results with the titles of their lectures in the reader's language too."""
    places = with_translated_titles([result.place for result in results], languages_of(request))
    return [replace(result, place=place) for result, place in zip(results, places, strict=True)]


def place_label(place: dict[str, Any]) -> str:
    """12:34, BG 2.13 or ¶ 9, as on the chips of the chat."""
    if place["start"] is not None:
        return clock(place["start"])
    paragraph = _PARAGRAPH.search(place["address"]) if place["kind"] == "lecture" else None
    return f"¶ {paragraph[1]}" if paragraph else str(place["address"])


def _lanes_text(candidate: Candidate) -> str:
    """The lanes that found a passage, with its rank in each: "by meaning 3rd · by words 1st"."""
    return " · ".join(
        str(label) if lane in UNRANKED else _ranked(label, candidate.lanes[lane].rank)
        for lane, label in LANE_LABELS.items()
        if lane in candidate.lanes
    )


def _ranked(label: Any, rank: int) -> str:
    """A lane with the passage's rank in it: "by meaning 3rd"."""
    return gettext("%(lane)s %(rank)s") % {"lane": label, "rank": ordinal(rank)}
