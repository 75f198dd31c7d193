"""Asking and reading without JavaScript: a form that is posted, and a page with the whole conversation."""

import asyncio
import uuid
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from chat.answering.domain.viewer import Viewer
from chat.conversations import selectors
from chat.conversations.local_words import local_message, with_local_messages
from chat.conversations.saved_files import saved
from chat.conversations.scopes import scope_groups
from chat.live.follow import follow_turn
from chat.live.forms import QuestionRefused, answer_form
from chat.live.stream import connected_reader
from chat.live.visitors import Visitor, visitor_of
from chat.models import Conversation, Turn
from corpus.catalogue.languages import by_language
from lectorium.threads import in_thread

WAIT = 45.0  # seconds that a page waits for an answer, less than proxies do; then it offers to look again


@require_http_methods(["GET", "POST"])
@never_cache
async def ask(request: HttpRequest) -> HttpResponse:
    """Answer the question of a form, and lead to the page of its conversation.

    The form comes back with a sentence that says what is wrong, and the status of QuestionRefused. A form that is sent
    twice is answered once.
    """
    if request.method != "POST":
        return redirect("chat")
    visitor = await in_thread(_visitor, request)
    if visitor is None:
        return redirect_to_login(reverse("chat"))
    try:
        conversation_id = await answer_form(
            connected_reader(request, visitor),
            _fields(request),
            turn_id=_turn_id(request),
            seconds=WAIT,
            has_grace=True,
        )
    except QuestionRefused as error:
        response = await in_thread(_form_again, request, visitor, str(error), error.status)
        if error.seconds:
            response.headers["Retry-After"] = str(error.seconds)
        return response
    response = redirect(f"{reverse('plain', args=[conversation_id])}#latest")
    response.status_code = 303
    return response


@require_safe
@never_cache
@ensure_csrf_cookie
async def plain(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """A conversation of the reader's with a form to go on; waits for an answer that is under way. 404 for another's."""
    visitor = await in_thread(_visitor, request)
    if visitor is None:
        return redirect_to_login(request.get_full_path())
    viewer = await in_thread(visitor.viewer)
    conversation = await in_thread(selectors.conversation, viewer, conversation_id)
    if conversation and (running := await in_thread(_running_turn, conversation)):
        await _wait_for(running, viewer)
        conversation = await in_thread(selectors.conversation, viewer, conversation_id)  # deleted meanwhile?
    if conversation is None:
        raise Http404("No such conversation of this reader.")
    return await in_thread(_page, request, viewer, conversation)


def _visitor(request: HttpRequest) -> Visitor | None:
    """The reader, who gets a session where anonymous readers may ask; None where they must sign in first."""
    if not request.user.is_authenticated and settings.ANONYMOUS_CHAT and not request.session.session_key:
        request.session.create()
    return visitor_of(request.session.session_key)


def _fields(request: HttpRequest) -> dict[str, Any]:
    """The form as a message of the socket's protocol. A button of an example question comes before what is typed."""
    sent = request.POST
    return {
        "question": sent.get("example") or sent.get("question", ""),
        "conversation": sent.get("conversation") or None,
        "mode": sent.get("mode") or "auto",
        "scope": sent.get("scope") or None,
    }


def _turn_id(request: HttpRequest) -> UUID | None:
    try:
        return UUID(request.POST.get("turn", ""))
    except ValueError:
        return None


def _running_turn(conversation: Conversation) -> Turn | None:
    return conversation.turns.filter(outcome="").last()


async def _wait_for(turn: Turn, viewer: Viewer) -> None:
    try:
        async with asyncio.timeout(WAIT):
            async for event in follow_turn(get_channel_layer(), turn, 0, viewer):
                if event["type"] == "done":
                    return
    except (TimeoutError, Turn.DoesNotExist):
        pass  # the page says that the answer is not ready, or is gone with its conversation


def _form_again(request: HttpRequest, visitor: Visitor, problem: str, status: int) -> HttpResponse:
    """The page that the form was on, with what was typed and a sentence about it."""
    viewer = visitor.viewer()
    try:
        conversation_id = UUID(request.POST.get("conversation", ""))
    except ValueError:
        conversation = None
    else:
        conversation = selectors.conversation(viewer, conversation_id)
    return _page(request, viewer, conversation, problem=local_message(problem), status=status)


def _page(
    request: HttpRequest, viewer: Viewer, conversation: Conversation | None, *, problem: str = "", status: int = 200
) -> HttpResponse:
    ended = selectors.ended_turns(conversation.pk, viewer) if conversation else []
    sent = _fields(request)
    context = {
        "conversation": conversation,
        "conversations": selectors.conversations(viewer),
        "turns": saved(request, ended),
        "running": _running_turn(conversation) if conversation else None,
        "next_questions": _next_questions(conversation, viewer) if conversation else (),
        "problem": problem,
        "question": sent["question"],
        "mode": request.POST.get("mode", ""),
        "scope": sent["scope"] or "",
        "scopes": scope_groups(viewer),
        "new_turn": uuid.uuid4(),
    }
    return by_language(render(request, "chat/plain.html", context, status=status))


def _next_questions(conversation: Conversation, viewer: Viewer) -> list[str]:
    """What the last answer offers to ask: what a vague question may mean, examples, and what could be asked next."""
    *_, last = selectors.stored_turns(conversation.pk, viewer) or [{}]
    response = with_local_messages(last.get("response", {}))
    return [*response.get("readings", ()), *response.get("examples", ()), *last.get("suggestions", ())]
