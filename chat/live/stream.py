"""A reader's connection over HTTP, where websockets are blocked: a posted message is answered by a stream of events."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from chat.live.connection import ConnectedReader, ReaderConnection
from chat.live.messages import listen, session_group
from chat.live.visitors import Visitor, visitor_of
from corpus.catalogue.languages import languages_of
from lectorium.threads import in_thread
from lectorium.web.lockout import client_address

BEAT = 10.0  # seconds after which a comment is sent, so that neither proxies nor the page take the stream for dead
HEADERS = {"X-Accel-Buffering": "no"}  # nginx would hold events back
SIGNED_OUT = {"type": "signed_out", "turn": None, "seq": 0}


@require_http_methods(["GET", "POST"])
@never_cache
async def stream(request: HttpRequest) -> HttpResponseBase:
    """POST: stream the events that a message of the socket's protocol leads to, until its turn has ended.

    GET: 204 where the reader may ask, so that the page learns whether it can use this. Both: 403 without a session.
    """
    visitor = await in_thread(visitor_of, request.session.session_key)
    if visitor is None:
        return HttpResponse(status=403)
    if request.method == "GET":
        return HttpResponse(status=204)
    events = _events(connected_reader(request, visitor), request.body.decode(errors="replace"))
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=HEADERS)


def connected_reader(request: HttpRequest, visitor: Visitor) -> ConnectedReader:
    return ConnectedReader(
        visitor,
        client_address(request) or "",
        languages_of(request) if settings.LOCALES else (),
        get_language() or settings.LANGUAGE_CODE,
    )


async def _events(reader: ConnectedReader, text: str) -> AsyncIterator[bytes]:
    """Yield server-sent events. A browser that leaves gives its turn to the grace period."""
    queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    async def sign_out() -> None:
        await queue.put(SIGNED_OUT)
        await queue.put(None)

    connection = ReaderConnection(reader, queue.put, sign_out)
    tasks = [
        asyncio.create_task(_serve(connection, text, queue)),
        asyncio.create_task(_listen_for_sign_out(connection, reader.visitor.session_key)),
    ]
    try:
        yield b": open\n\n"
        while True:
            try:
                async with asyncio.timeout(BEAT):
                    event = await queue.get()
            except TimeoutError:
                yield b": waiting\n\n"
                continue
            if event is None:
                return
            yield f"data: {json.dumps(event)}\n\n".encode()
    finally:
        connection.leave()
        for task in tasks:
            task.cancel()


async def _serve(connection: ReaderConnection, text: str, queue: asyncio.Queue[dict[str, Any] | None]) -> None:
    try:
        await connection.receive(text)
        await connection.ended()
    finally:
        await queue.put(None)


async def _listen_for_sign_out(connection: ReaderConnection, session_key: str) -> None:
    """End the session's stream when its reader signs out elsewhere."""
    layer: Any = get_channel_layer()
    with contextlib.suppress(Exception):  # each layer has its own errors; a lost message ends with the session's turn
        channel = await layer.new_channel()
        joined = asyncio.create_task(listen(layer, channel, session_group(session_key)))
        try:
            while (await layer.receive(channel))["type"] != "session.ended":
                """Wait for the message."""
            await connection.end_session()
        finally:
            joined.cancel()
