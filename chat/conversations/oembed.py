"""oEmbed (https://oembed.com): tells another program what a shared conversation is called, while it is shared.

The answer is of the type `link` and holds nothing but the title: words of an answer would stay in other programs'
caches after the link is revoked, and no site may frame the page itself.
"""

from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, JsonResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.conversations import sharing
from chat.conversations.viewers import viewer_of

LONGEST_URL = 2000
CACHED_SECONDS = 3600  # for how long others may keep the answer: a link can be revoked at any time
BAD_URL = _("Give the whole address of a shared conversation as url, percent-encoded.")
NOT_SHARED = _("Nothing is shared at this address.")
SIGN_IN = _("This site shows shared conversations only to readers who have signed in.")
JSON_ONLY = _("Only format=json is offered.")


@require_safe
@never_cache
def oembed(request: HttpRequest) -> JsonResponse:
    """Describe the shared conversation at `url`, as anybody may see it.

    400 for a malformed url, 404 for one that is not shared here (also a revoked one), 501 for another format than JSON.
    """
    if not settings.ANONYMOUS_CHAT:
        return _fault(401, SIGN_IN)
    if request.GET.get("format", "json") != "json":
        return _fault(501, JSON_ONLY)
    asked = request.GET.get("url", "")
    token = _shared_token(request, asked)
    if token is None:
        return _fault(400, BAD_URL)
    found = sharing.shared_by(token, viewer_of(AnonymousUser(), None)) if token else None
    if found is None:
        return _fault(404, NOT_SHARED)
    _, conversation, _ = found
    site = request.build_absolute_uri(reverse("chat"))
    described = {"version": "1.0", "type": "link", "title": str(conversation), "cache_age": CACHED_SECONDS}
    return JsonResponse({**described, "provider_name": "Lectorium", "provider_url": site})


def discovery_url(request: HttpRequest) -> str:
    """The address that describes the shared page of this request."""
    query = urlencode({"url": request.build_absolute_uri(request.path)})
    return request.build_absolute_uri(f"{reverse('oembed')}?{query}")


def _shared_token(request: HttpRequest, url: str) -> str | None:
    """The token in the address of a shared page; "" in that of any other page or site, None where it is malformed."""
    try:
        parts = urlsplit(url)
        port_is_valid = parts.port is None or parts.port > 0  # reading it raises ValueError
    except ValueError:
        return None
    if len(url) > LONGEST_URL or parts.scheme not in {"http", "https"} or not parts.netloc or not port_is_valid:
        return None
    if parts.netloc.lower() != request.get_host().lower():
        return ""
    try:
        match = resolve(parts.path)
    except Resolver404:
        return ""
    return str(match.kwargs["token"]) if match.url_name == "shared" else ""


def _fault(status: int, message: object) -> JsonResponse:
    return JsonResponse({"error": {"message": message}}, status=status)
