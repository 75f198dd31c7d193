"""The chat page. Questions and answers travel over the socket; this shows what is there to begin with."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import pluralize
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from chat import selectors
from chat.domain.viewer import Viewer
from chat.viewers import viewer_of
from corpus.selectors import corpus_size


@require_safe
@never_cache
@ensure_csrf_cookie
def chat(request: HttpRequest, conversation_id: UUID | None = None) -> HttpResponse:
    """Show the question box with a conversation of the reader's, or none. 404 for another's."""
    if not request.user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return redirect_to_login(request.get_full_path())
    viewer = _viewer(request)
    conversation = None
    if conversation_id:
        conversation = selectors.conversation(viewer, conversation_id)
        if conversation is None:
            raise Http404("No such conversation of this reader.")
    context = {
        "conversation": conversation,
        "conversations": selectors.conversations(viewer),
        "turns": selectors.stored_turns(conversation.pk, viewer) if conversation else [],
        "shared_at": selectors.shared_at(conversation) if conversation else None,
        "scopes": selectors.scopes(viewer),
        "examples": selectors.example_questions(viewer),
        "corpus_line": _corpus_line(viewer),
        "question_max": settings.QUESTION_MAX_CHARS,
    }
    return render(request, "chat/page.html", context)


def _viewer(request: HttpRequest) -> Viewer:
    """Return who asks; an anonymous reader gets a session, which their conversations hang on."""
    if not request.user.is_authenticated and not request.session.session_key:
        request.session.create()
    return viewer_of(request.user, request.session.session_key)


def _corpus_line(viewer: Viewer) -> str:
    """Return "1,204 lectures · 31,102 verses · indexed 12 minutes ago", or nothing where nothing is imported."""
    size = corpus_size(viewer.collections)
    kinds = ((size.lectures, "lecture"), (size.verses, "verse"), (size.library_passages, "library passage"))
    parts = [f"{number:,} {name}{pluralize(number)}" for number, name in kinds if number]
    if parts and size.indexed_at:
        parts.append(f"indexed {naturaltime(size.indexed_at)}")
    return " · ".join(parts)
