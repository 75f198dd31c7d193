"""The reader's list of conversations: finding, renaming, deleting, and undoing a deletion."""

from collections.abc import Callable
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.answering.domain.viewer import Viewer
from chat.conversations import selectors, services
from chat.conversations.viewers import viewer_of

MOST_SEARCHED = MOST_TITLE = 200  # characters
GONE = gettext_lazy("This conversation is not there any more.")


class TitleForm(forms.Form):
    title = forms.CharField(
        max_length=MOST_TITLE,
        error_messages={
            "required": gettext_lazy("Write a name."),
            "max_length": gettext_lazy("The name is longer than 200 characters."),
        },
    )


@require_safe
@never_cache
def conversations(request: HttpRequest) -> HttpResponse:
    """The list as a fragment of HTML; with `find`, only conversations with these words."""
    if not _may_chat(request):
        return JsonResponse({"message": gettext("Sign in first.")}, status=403)
    found = selectors.conversations(_viewer(request), request.GET.get("find", "")[:MOST_SEARCHED])
    return render(request, "chat/_conversation_list.html", {"conversations": found})


@require_POST
@never_cache
def rename(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Give a conversation the name `title`: 204, or a sentence under "message" with 400, 403 or 404."""
    form = TitleForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"message": form.errors["title"][0]}, status=400)
    title = form.cleaned_data["title"]
    return _change(
        request, lambda viewer: services.conversation_retitle(
            viewer=viewer, conversation_id=conversation_id, title=title
        )
    )  # fmt: skip


@require_POST
@never_cache
def delete(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    return _change(request, lambda viewer: services.conversation_delete(viewer=viewer, conversation_id=conversation_id))


@require_POST
@never_cache
def restore(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    return _change(
        request, lambda viewer: services.conversation_restore(viewer=viewer, conversation_id=conversation_id)
    )


def _change(request: HttpRequest, change: Callable[[Viewer], None]) -> HttpResponse:
    if not _may_chat(request):
        return JsonResponse({"message": gettext("Sign in first.")}, status=403)
    try:
        change(_viewer(request))
    except services.ConversationNotFound:
        return JsonResponse({"message": GONE}, status=404)
    return HttpResponse(status=204)


def _may_chat(request: HttpRequest) -> bool:
    return bool(request.user.is_authenticated or settings.ANONYMOUS_CHAT)


def _viewer(request: HttpRequest) -> Viewer:
    return viewer_of(request.user, request.session.session_key)
