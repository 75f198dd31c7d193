"""A reader's own conversation as a file: Markdown, HTML or JSON, with what they may see of it today."""

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.conversations import selectors
from chat.conversations.domain.saved import SavedTurn, file_name, saved_turn
from chat.conversations.domain.saved_markdown import markdown
from chat.conversations.export_rows import row
from chat.conversations.local_titles import with_translated_titles
from chat.conversations.local_words import local_message, with_local_messages
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn
from corpus.catalogue.languages import languages_of
from corpus.selectors import corpus_version
from corpus.templatetags.seconds import day

Writer = Callable[[HttpRequest, Conversation, Sequence[Turn]], str]


@require_safe
@never_cache
def export(request: HttpRequest, conversation_id: UUID, ending: str) -> HttpResponse:
    """Send the conversation's ended turns as a file. 404 for another reader's, and for an unknown format."""
    if not request.user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return redirect_to_login(request.get_full_path())
    viewer = viewer_of(request.user, request.session.session_key)
    conversation = selectors.conversation(viewer, conversation_id)
    if conversation is None or ending not in FORMATS:
        raise Http404("No such conversation of this reader, or no such format.")
    kind, write = FORMATS[ending]
    text = write(request, conversation, selectors.ended_turns(conversation.pk, viewer))
    disposition = content_disposition_header(as_attachment=True, filename=file_name(str(conversation), ending))
    return HttpResponse(
        text, content_type=f"{kind}; charset=utf-8", headers={"Content-Disposition": disposition or "attachment"}
    )


def saved(request: HttpRequest, turns: Sequence[Turn]) -> list[SavedTurn]:
    """The turns as files and pages show them, with links to this host and titles in the language of its reader."""
    link = request.build_absolute_uri
    responses = with_local_messages(with_translated_titles([turn.response for turn in turns], languages_of(request)))
    return [
        saved_turn(selectors.stored_response(turn, _with_local_dates(response)), turn.started_at, link, local_message)
        for turn, response in zip(turns, responses, strict=True)
    ]


def _with_local_dates(response: Mapping[str, Any]) -> Mapping[str, Any]:
    """The response with the dates of its sources as the reader's language writes them."""
    places = {name: response[name] for name in ("citations", "nearest") if response.get(name)}
    return {**response, **{name: [_with_local_date(place) for place in listed] for name, listed in places.items()}}


def _with_local_date(place: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**place, "date": day(place.get("date") or "")}


def _as_markdown(request: HttpRequest, conversation: Conversation, turns: Sequence[Turn]) -> str:
    return markdown(str(conversation), saved(request, turns), local_message)


def _as_html(request: HttpRequest, conversation: Conversation, turns: Sequence[Turn]) -> str:
    shown = {"title": str(conversation), "turns": saved(request, turns)}
    return render_to_string("chat/saved.html", shown, request)


def _as_json(request: HttpRequest, conversation: Conversation, turns: Sequence[Turn]) -> str:
    whole = {
        "title": str(conversation),
        "site": request.build_absolute_uri("/"),  # the site that the paths in the responses belong to
        "corpus_version": corpus_version(),
        "turns": with_local_messages(with_translated_titles([row(turn) for turn in turns], languages_of(request))),
    }
    return json.dumps(whole, ensure_ascii=False, indent=2)


FORMATS: Mapping[str, tuple[str, Writer]] = MappingProxyType(
    {
        "md": ("text/markdown", _as_markdown),
        "html": ("text/html", _as_html),
        "json": ("application/json", _as_json),
    }
)
