"""Limits the size of a request while it arrives, so that no more is written to disk."""

import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from csp.middleware import CSPMiddleware
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.shortcuts import render
from django.utils.translation import get_language_from_request, gettext, override

from lectorium.threads import in_thread

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class LargePage:
    """A page with a larger limit, in bytes, for users with the permission."""

    path: str
    most: int
    permission: str


class BodyLimit:
    """Answers 413 where a request exceeds the limit of its page and sender."""

    def __init__(self, application: Any, *, most: int, page: LargePage) -> None:
        self._application, self._most, self._page = application, most, page

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        most = await self._most_of(scope)
        body = _Counted(receive, most)
        if _declared(scope) <= most:
            await self._application(scope, body.receive, send)
            if not body.is_too_long:
                return
        await _refuse(scope, send, most)

    async def _most_of(self, scope: Message) -> int:
        page = self._page
        is_large = scope["path"] == page.path and scope["method"] == "POST"
        return page.most if is_large and await in_thread(_has_permission, scope, page.permission) else self._most


class _Counted:
    """Passes a body on until it is too long, then reports a disconnect."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    @property
    def is_too_long(self) -> bool:
        return self._left < 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return {"type": "http.disconnect"} if self.is_too_long else message


def _declared(scope: Message) -> int:
    """The Content-Length of the request, or 0."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said) if said.isdigit() else 0


def _has_permission(scope: Message, permission: str) -> bool:
    request = ASGIRequest(scope, io.BytesIO())
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    return bool(get_user(request).has_perm(permission))


async def _refuse(scope: Message, send: Send, most: int) -> None:
    """Answer 413: a browser gets a page, programs get a sentence."""
    limit = f"{most / MEGABYTE:g}"
    accepts = dict(scope["headers"]).get(b"accept", b"")
    answer = await in_thread(_page if b"text/html" in accepts else _sentence, scope, limit)
    answer.headers["Connection"] = "close"
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.items()]
    headers.append((b"content-length", b"%d" % len(answer.content)))
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})


def _sentence(scope: Message, limit: str) -> HttpResponse:
    with override(get_language_from_request(ASGIRequest(scope, io.BytesIO()))):
        said = gettext("The request exceeds this page's limit of %(limit)s MB.") % {"limit": limit}
    return HttpResponse(said, content_type="text/plain; charset=utf-8", headers={"X-Content-Type-Options": "nosniff"})


def _page(scope: Message, limit: str) -> HttpResponse:
    """The page in the reader's language, with the headers that the middleware gives every page."""
    request = ASGIRequest(scope, io.BytesIO())
    with override(get_language_from_request(request)):
        rendered = render(request, "413.html", {"limit": limit}, status=413)
    answer = CSPMiddleware(SecurityMiddleware(XFrameOptionsMiddleware(lambda _: rendered)))(request)
    return cast("HttpResponse", answer)  # it is no coroutine where the view is none
