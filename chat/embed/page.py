"""The page in the frame. Only sites in LECTORIUM_EMBED_ORIGINS may show it; it works without cookies.

It does not know who has signed in: the frame belongs to the other site's page.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from chat.conversations import selectors
from chat.conversations.local_words import local_message
from chat.conversations.saved_files import saved
from chat.embed.visitors import frame_visitor, key_of, signed_key
from chat.live.forms import QuestionRefused, answer_form
from chat.live.stream import connected_reader
from corpus.catalogue.languages import by_language
from lectorium.threads import in_thread
from lectorium.web.origins import may_connect
from lectorium.web.site_origin import site_origin

THEMES = ("light", "dark")
NOT_ALLOWED = _("This site is not allowed to show Lectorium. Its operator can ask ours to allow it.")
SIGNED_IN_ONLY = _("Lectorium answers only readers who have signed in here, so it cannot be shown on another site.")
CONVERSATION_ENDED = _("The conversation in this frame has ended. Ask again to begin a new one.")


@csrf_exempt  # nothing here rests on a cookie; the Origin is checked, so that no page asks in the name of its visitors
@never_cache
@xframe_options_exempt
@require_http_methods(["GET", "HEAD", "POST"])
async def embed(request: HttpRequest) -> HttpResponse:
    """Show the question box, and answer what is sent with it. 403 with one sentence for a site that is not allowed.

    400 for an invalid question, 404 for a conversation that has ended, 429 for too many questions; the page explains.
    """
    origin = site_origin(request.GET.get("origin", ""))
    if origin not in settings.EMBED_ORIGINS:
        return _refused(request, origin, NOT_ALLOWED)
    sender = request.headers.get("Origin", "")
    if request.method == "POST" and sender and not may_connect(sender, request.get_host()):
        return _refused(request, None, NOT_ALLOWED)  # only the frame itself asks, or a program
    if not settings.ANONYMOUS_CHAT:
        return _refused(request, origin, SIGNED_IN_ONLY)
    status, wait, conversation = 200, 0, None
    shown: dict[str, Any] = {
        "host": origin,
        "theme": _theme(request),
        "question_max": settings.QUESTION_MAX_CHARS,
    }
    key = key_of(request.POST.get("reader", ""))
    if request.method == "POST":
        try:
            conversation = await _answer(request, key)
        except QuestionRefused as error:
            status, wait = error.status, error.seconds
            shown["problem"] = CONVERSATION_ENDED if status == 404 else local_message(str(error))
            shown["question"] = request.POST.get("question", "")
            conversation = _uuid(request.POST.get("conversation", "")) if status != 404 else None
    response = await in_thread(_page, request, key, conversation, shown, status)
    if wait:
        response.headers["Retry-After"] = str(wait)
    return response


async def _answer(request: HttpRequest, key: str) -> UUID:
    asked = {
        "question": request.POST.get("question", ""),
        "conversation": request.POST.get("conversation") or None,
        "scope": request.GET.get("scope"),
    }
    reader = replace(connected_reader(request, frame_visitor(key)), wants_next_questions=False)
    return await answer_form(reader, asked)


def _page(
    request: HttpRequest, key: str, conversation: UUID | None, shown: dict[str, Any], status: int
) -> HttpResponse:
    """The frame with the reader's conversation, if they have one."""
    viewer = frame_visitor(key).viewer()
    own = selectors.conversation(viewer, conversation) if conversation else None
    turns = selectors.ended_turns(own.pk, viewer) if own else []
    shown |= {"reader": signed_key(key), "conversation": own, "turns": saved(request, turns)}
    response = render(request, "chat/embed/frame.html", shown, status=status)
    return _framed_by(by_language(response), settings.EMBED_ORIGINS)


def _refused(request: HttpRequest, origin: str | None, reason: Any) -> HttpResponse:
    """One sentence and nothing to press, so the site that asked may show it; no other site may."""
    response = render(request, "chat/embed/refused.html", {"reason": reason, "theme": _theme(request)}, status=403)
    return _framed_by(response, [origin] if origin else [])


def _framed_by(response: HttpResponse, origins: list[str]) -> HttpResponse:
    if origins:
        response._csp_replace = {"frame-ancestors": origins}  # type: ignore[attr-defined]  # of django-csp
    return response


def _theme(request: HttpRequest) -> str:
    """The colours that the other site asks for; "" follows the reader's system."""
    theme = request.GET.get("theme", "")
    return theme if theme in THEMES else ""


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
