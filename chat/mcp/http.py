"""Streamable HTTP at /mcp: the API's tokens, and nothing kept between two requests."""

import asyncio
import contextlib
import io
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from rest_framework.exceptions import Throttled

from chat.api.authentication import SCHEME
from chat.api.errors import NO_TOKEN, error_parts
from chat.api.throttling import count_stranger
from chat.mcp.callers import ToolRefused, caller_of_token, caller_source
from corpus.catalogue.languages import languages_of
from lectorium.threads import in_thread
from lectorium.web.lockout import client_address
from lectorium.web.origins import may_connect

if TYPE_CHECKING:
    from chat.mcp.server import LectoriumTools

PATH = "/mcp"
WRONG_HOST = "This Host is not one of LECTORIUM_HOSTS."
WRONG_ORIGIN = "A page of another site may not call this."
NOT_SAFE = "Call this over https, so that nobody can read your token."
ONLY_POST = "Send each message with POST; nothing is kept open between them."

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class McpEndpoint:
    """Serves /mcp, and passes every other path on."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["path"].rstrip("/") != PATH:
            await self._application(scope, receive, send)
            return
        request = ASGIRequest(scope, io.BytesIO())
        if refusal := _refusal(request):
            status, code, message = refusal
            headers = [(b"allow", b"POST")] if status == 405 else []
            await _answer(send, status, code, message, headers)
            return
        address, languages = client_address(request) or "", languages_of(request)
        try:
            caller = await in_thread(caller_of_token, _secret(request), "http", address, languages)
        except ToolRefused as error:
            await _answer_stranger(send, address, str(error) if _secret(request) else "")
            return
        except Exception as error:  # noqa: BLE001 - logged by error_parts
            await _answer_error(send, error)
            return
        caller_source.set(lambda: caller)  # of this request's context alone
        await _serve(scope, receive, send)


async def _serve(scope: Message, receive: Receive, send: Send) -> None:
    """Answer one message; a client that disconnects stops it."""
    body = await _body_of(receive)
    if body is None:
        return
    gone = asyncio.Event()
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        if message := next(messages, None):
            return message
        await gone.wait()
        return {"type": "http.disconnect"}

    answering = (await in_thread(_server)).answer_once(scope, replay, send)
    running, leaving = asyncio.create_task(answering), asyncio.create_task(_disconnected(receive))
    try:
        await asyncio.wait({running, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.set()
        leaving.cancel()
        if not running.done():
            running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


def _server() -> "LectoriumTools":
    from chat.mcp.server import tool_server  # and the protocol's library, which few sites need: a second and 40 MB

    return tool_server()


async def _body_of(receive: Receive) -> bytes | None:
    """The whole body, which `BodyLimit` bounds; None where the client left."""
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _refusal(request: ASGIRequest) -> tuple[int, str, str] | None:
    """(status, code, sentence) of a request that is not read; None for one that is."""
    try:
        host = request.get_host()
    except DisallowedHost:
        return 400, "bad_request", WRONG_HOST
    origin = request.headers.get("Origin")
    if origin is not None and not may_connect(origin, host):
        return 403, "forbidden", WRONG_ORIGIN
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        return 403, "forbidden", NOT_SAFE
    if request.method != "POST":
        return 405, "method_not_allowed", ONLY_POST
    return None


def _secret(request: ASGIRequest) -> str:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == SCHEME.lower() else ""


async def _answer_stranger(send: Send, address: str, refusal: str) -> None:
    """401, or 429 for an address that often comes without a valid token. refusal: "" where it brought no token."""
    try:
        await in_thread(count_stranger, address)
    except Throttled as error:
        await _answer_error(send, error)
        return
    code = "authentication_failed" if refusal else "not_authenticated"
    headers = [(b"www-authenticate", f'{SCHEME} realm="Lectorium"'.encode())]
    await _answer(send, 401, code, refusal or NO_TOKEN, headers)


async def _answer_error(send: Send, error: Exception) -> None:
    status, code, message, headers = error_parts(error)
    await _answer(
        send, status, code, message, [(name.lower().encode(), text.encode()) for name, text in headers.items()]
    )


async def _answer(
    send: Send, status: int, code: str, message: str, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    """Answer with an error as the API does."""
    body = json.dumps({"error": {"code": code, "message": message}}).encode()
    fixed = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    fixed += [(b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *(headers or [])]})
    await send({"type": "http.response.body", "body": body})
