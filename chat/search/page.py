"""The search page: where the corpus says what, without a chat and without JavaScript. No search is recorded."""

import logging
import re
from dataclasses import dataclass
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
from chat.conversations import selectors
from chat.conversations.viewers import viewer_of
from chat.live.admission import TooManyTurns
from chat.search.extract import extract_of
from chat.search.lookup import look_up
from corpus.domain.clock import clock
from corpus.language import lexeme
from corpus.selectors import corpus_size
from lectorium.providers.errors import ProviderError
from lectorium.web.lockout import client_address

log = logging.getLogger(__name__)

RESULTS = 20
RETRY_S = 5  # a search takes less than a second; those before it may be whole turns
AWAY = "Nothing can be searched right now. If that lasts, tell whoever looks after this site."
LANES = {
    "address": "by address",
    "curated": "by an editor’s choice",
    "dense": "by meaning",
    "sentence": "by one sentence",
    "lexical": "by words",
    "spelling": "by spelling",
    "neighbourhood": "near the last citation",
}
UNRANKED = {"address", "curated", "neighbourhood"}  # these find what they name, and nothing nearer or farther
_PARAGRAPH = re.compile(r"[:#\s](\d+)$")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A passage found, and what found it.

    place: as a citation has it. pieces: its words, as (characters, were they looked for?). cut_before, cut_after: does
    the passage have more words on that side?
    """

    place: dict[str, Any]
    where: str
    date: date | None
    pieces: list[tuple[str, bool]]
    found: str
    cut_before: bool
    cut_after: bool


@require_safe
@never_cache
def search(request: HttpRequest) -> HttpResponse:
    """Show the passages closest to `q` within `scope`, of those the reader may see. 429 where too many search at once.

    400 for a query or a scope that cannot be read, 503 where the index cannot be searched: the page says why.
    """
    if not request.user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return redirect_to_login(request.get_full_path())
    asked, scope = request.GET.get("q", "").strip(), request.GET.get("scope", "")
    everything = viewer_of(request.user, request.session.session_key)
    size, scopes = corpus_size(everything.collections), selectors.scopes(everything)
    is_empty = not (size.lectures or size.verses or size.library_passages)
    context: dict[str, Any] = {
        "asked": asked,
        "scope": scope,
        "scopes": scopes,
        "other_scope": "" if scope in {one.key for one in scopes} else scope,
        "is_empty": is_empty,
        "as_question": f"{reverse('chat')}?{urlencode({'question': asked, **({'scope': scope} if scope else {})})}",
    }
    status = 200
    try:
        if asked and not is_empty:
            viewer = viewer_of(request.user, request.session.session_key, scope)
            context |= _found(request, check_question(asked, settings.QUESTION_MAX_CHARS), viewer)
    except (BadMessage, BadScope) as error:
        status, context["problem"] = 400, str(error)
    except TooManyTurns as error:
        status, context["problem"] = 429, str(error)
    except (ProviderError, MissingCalibration):
        log.exception("a search came to nothing")
        status, context["problem"] = 503, AWAY
    response = render(request, "chat/search.html", context, status=status)
    if status == 429:
        response.headers["Retry-After"] = str(RETRY_S)
    return response


def _found(request: HttpRequest, query: str, viewer: Viewer) -> dict[str, Any]:
    """Return what the page says of a search. Raises TooManyTurns where the reader, their network or everybody asks too
    much."""
    address = client_address(request) or ""
    reader = request.session.session_key or address
    # On the event loop that turns run on, among them.
    plan, candidates = async_to_sync(look_up)(query, viewer, limit=RESULTS, reader=reader, address=address)
    return {
        "results": [_result(plan, candidate) for candidate in candidates],
        "searched": describe_search(viewer).removeprefix("searching ") if viewer.collections else "",
        "faults": plan.address_faults,
    }


def _result(plan: QueryPlan, one: Candidate) -> SearchResult:
    passage = one.passage
    synonyms = {form[0] for forms in plan.alternatives.values() for form in forms if len(form) == 1}
    sentences = sentences_in(passage.text, partial(lexeme, language=passage.language))
    extract = extract_of(sentences, synonyms.union(plan.words))
    place = source_item(passage, extract.span)
    return SearchResult(
        place=place,
        where=_where(place),
        date=date.fromisoformat(passage.date) if passage.date else None,
        pieces=extract.pieces(passage.text),
        found=_found_by(one),
        cut_before=bool(passage.text[: extract.span[0]].strip()),
        cut_after=bool(passage.text[extract.span[1] :].strip()),
    )


def _where(place: dict[str, Any]) -> str:
    """Return 12:34, BG 2.13 or ¶ 9, as a chip of the chat has it."""
    if place["start"] is not None:
        return clock(place["start"])
    paragraph = _PARAGRAPH.search(place["address"]) if place["kind"] == "lecture" else None
    return f"¶ {paragraph[1]}" if paragraph else str(place["address"])


def _found_by(one: Candidate) -> str:
    """Return which lanes found a passage, and at which place, e.g. "by meaning 3rd · by words 1st"."""
    return " · ".join(
        said if lane in UNRANKED else f"{said} {ordinal(one.lanes[lane].rank)}"
        for lane, said in LANES.items()
        if lane in one.lanes
    )
