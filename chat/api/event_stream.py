"""A turn's events as a server-sent stream, with comments that keep a quiet connection open."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Any

from django.http import StreamingHttpResponse
from django.utils.translation import get_language, override

from chat.api.domain.server_sent import KEEP_ALIVE, event_text
from chat.api.errors import error_parts
from chat.conversations.local_titles import with_translated_titles
from chat.conversations.local_words import local_message, with_local_messages
from lectorium.threads import in_thread

BEGUN_WITHIN = 5.0  # seconds
QUIET = 15.0  # seconds; proxies close a connection that is quiet for a minute
EVENT_STREAM = "text/event-stream"


def streamed(chunks: AsyncGenerator[bytes], closed: Callable[[], None]) -> StreamingHttpResponse:
    """A response that no cache keeps and no proxy holds back; `closed` is called once nobody reads it any more.

    Where the connection closes before the first chunk, Django never begins to read: that counts as closed, too.
    """
    begun = asyncio.Event()

    async def read() -> AsyncIterator[bytes]:
        begun.set()
        try:
            async with aclosing(chunks):
                async for chunk in chunks:
                    yield chunk
        finally:
            closed()

    def check_begun() -> None:
        if not begun.is_set():
            closed()

    asyncio.get_running_loop().call_later(BEGUN_WITHIN, check_begun)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(read(), content_type=EVENT_STREAM, headers=headers)


async def event_chunks(events: AsyncIterator[dict[str, Any]], quiet: float = QUIET) -> AsyncGenerator[bytes]:
    """Yield events, and a comment after each `quiet` seconds without one."""
    pending = None
    try:
        while True:
            pending = pending or asyncio.ensure_future(anext(events, None))
            await asyncio.wait({pending}, timeout=quiet)
            if not pending.done():
                yield KEEP_ALIVE
                continue
            event, pending = pending.result(), None
            if event is None:
                return
            yield event_text(event)
    except Exception as error:  # noqa: BLE001 - the answer has begun, so any error is told as an event
        yield event_text(_fault(error))
    finally:
        if pending:
            pending.cancel()


async def local_events(
    events: AsyncIterator[dict[str, Any]], languages: Sequence[str]
) -> AsyncIterator[dict[str, Any]]:
    """The events in the reader's language. languages: those that titles are wanted in, the most wanted first."""
    language = get_language()
    async for event in events:
        titled = await in_thread(with_translated_titles, event, languages) if languages else event
        with override(language):
            yield with_local_messages(titled)


def _fault(error: Exception) -> dict[str, Any]:
    status, code, message, _ = error_parts(error)
    return {
        "type": "error",
        "code": code,
        "message": local_message(message),
        "retryable": status == 503,
        "turn": None,
        "seq": 0,
    }
