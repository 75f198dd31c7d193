"""Logs a line per request: its path without the query, status and duration."""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
PROBES = {"/healthz", "/readyz", "/metrics"}  # polled every few seconds
LONGEST = 200  # characters of a path
# What follows is a secret: a token of a conversation, of a new account, or of a new password.
SECRET_AFTER = ("/s/", "/sign-up/", "/invitation/", "/password/reset/")

log = logging.getLogger(__name__)


class RequestLog:
    """Logs HTTP responses; status 0 where the client disconnected first."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._application(scope, receive, answer)
        finally:
            if scope["path"] not in PROBES:
                _note(scope, status, round(1000 * (time.perf_counter() - began)))


def _note(scope: Message, status: int, ms: int) -> None:
    asked = scope["path"]
    before = next((prefix for prefix in SECRET_AFTER if asked.startswith(prefix) and asked != prefix), "")
    # quoted, so that a line break cannot start a new line
    path = f"{before}***" if before else quote(asked)[:LONGEST]
    facts = {"method": scope["method"], "path": path, "status": status, "ms": ms}
    log.info("%s %s %d in %d ms", scope["method"], path, status, ms, extra={"facts": facts})
