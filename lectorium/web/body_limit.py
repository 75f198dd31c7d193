"""How large a request may be: counted as it arrives, so that no more of it is written to disk."""

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
    """A page that takes more than others, in bytes, from those who have the permission."""

    path: str
    most: int
    permission: str


class BodyLimit:
    """Answers 413 with a sentence where a request has more bytes than its page takes from its sender."""

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
    """Hands a body on until it is too long; from then on the sender is as one who went away."""

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
    """Return the length that the request says it has, 0 where it does not say."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said) if said.isdigit() else 0


def _has_permission(scope: Message, permission: str) -> bool:
    request = ASGIRequest(scope, io.BytesIO())
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    return bool(get_user(request).has_perm(permission))


async def _refuse(send: Send, most: int) -> None:
    said = f"This is more than the {most / MEGABYTE:g} MB that this page takes.".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(said))]
    headers += [(b"connection", b"close"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": said})
