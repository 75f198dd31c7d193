"""Sharing a conversation: its owner makes and revokes a link; anyone with the link can read it."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.conversations import sharing
from chat.conversations.oembed import discovery_url
from chat.conversations.saved_files import saved
from chat.conversations.services import ConversationNotFound
from chat.conversations.viewers import viewer_of


@require_safe
@never_cache
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """Show what is shared at this address. Unknown and revoked ones are the same 404."""
    if not request.user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return redirect_to_login(request.get_full_path())
    found = sharing.shared_by(token, viewer_of(request.user, request.session.session_key))
    if found is None:
        raise Http404("Nothing is shared at this address.")
    link, conversation, turns = found
    shown = {
        "title": str(conversation),
        "made_at": link.made_at,
        "turns": saved(request, turns),
        "described_at": discovery_url(request),
    }
    answer = render(request, "chat/shared.html", shown)
    answer["X-Robots-Tag"] = "noindex"
    return answer


@require_POST
@never_cache
def share(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Replace a conversation's link: {"url", "made_at"}, or 409 with {"message"}. 404 for another reader's."""
    viewer = viewer_of(request.user, request.session.session_key)
    try:
        token, made_at = sharing.link_make(viewer=viewer, conversation_id=conversation_id)
    except ConversationNotFound as error:
        raise Http404("No such conversation of this reader.") from error
    except sharing.SharingRefused as error:
        return JsonResponse({"message": str(error)}, status=409)
    url = request.build_absolute_uri(reverse("shared", args=[token]))
    return JsonResponse({"url": url, "made_at": made_at.isoformat()})


@require_POST
@never_cache
def unshare(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """Revoke a conversation's link; 404 for another reader's."""
    viewer = viewer_of(request.user, request.session.session_key)
    try:
        sharing.link_revoke(viewer=viewer, conversation_id=conversation_id)
    except ConversationNotFound as error:
        raise Http404("No such conversation of this reader.") from error
    return JsonResponse({})
