"""Limits the size of a request while it arrives, so that no more is written to disk."""

import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse

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
        await _refuse(send, most)

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


async def _refuse(send: Send, most: int) -> None:
    said = f"The request exceeds this page's limit of {most / MEGABYTE:g} MB.".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(said))]
    headers += [(b"connection", b"close"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": said})
