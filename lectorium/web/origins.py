"""Which pages may open a socket: those of the same host and port, and those in LECTORIUM_ORIGINS.

Cookies are shared by every port of a host, so a page on another port must not use a reader's session.
"""

from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain

PORTS = {"http": "80", "https": "443"}


class SameOriginValidator:
    """Rejects sockets whose Origin differs from their Host, before they are accepted."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        is_allowed = may_connect(headers.get(b"origin", ""), headers.get(b"host", ""))
        return await (self._application if is_allowed else WebsocketDenier())(scope, receive, send)


def may_connect(origin: str, host: str) -> bool:
    """Whether a page of this origin may connect to this Host, which is the public one even behind a proxy."""
    scheme, _, place = origin.lower().partition("://")
    if scheme not in PORTS:
        return False
    domain, port = split_domain_port(place)
    asked, asked_port = split_domain_port(host)
    if domain and (domain, port or PORTS[scheme]) == (asked, asked_port or PORTS[scheme]):
        return validate_host(domain, settings.ALLOWED_HOSTS) and (scheme == "https" or not settings.HTTPS)
    return any(_is_like(scheme, place, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS)


def _is_like(scheme: str, place: str, trusted: str) -> bool:
    pattern = urlsplit(trusted.lower())
    return scheme == pattern.scheme and is_same_domain(place, pattern.netloc.lstrip("*"))
