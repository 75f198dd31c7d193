"""Timeouts, retries and circuit breaker of providers."""

import asyncio
import logging
import random
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass

from .errors import CircuitOpen, TooSlow, TransientError
from .protocols import Piece

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds and counts. Short, because a reader waits; a failure falls back to another rung."""

    connect: float = 5.0
    silence: float = 30.0  # until the next piece, including the first
    whole: float = 180.0  # the whole answer
    attempts: int = 3
    first_wait: float = 0.5  # doubled each time, with jitter so that turns do not retry together
    longest_wait: float = 4.0  # a longer Retry-After is not waited for

    def wait_before(self, attempt: int, error: TransientError) -> float | None:
        """Seconds before attempt number `attempt` (2, 3, …), or None for no further attempt."""
        if attempt > self.attempts or isinstance(error, CircuitOpen | TooSlow):
            return None  # after a timeout, nobody waits that long again
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest_wait else None
        wait: float = min(self.first_wait * 2 ** (attempt - 2), self.longest_wait)
        return wait * random.uniform(0.5, 1.0)  # noqa: S311 - spreads load, guards nothing


class Breaker:
    """Circuit breaker: opens for `rest` seconds after `limit` transient failures in a row, then lets one call try."""

    def __init__(self, limit: int = 5, rest: float = 30.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._rest, self._clock = limit, rest, clock
        self._failures = 0
        self._closed_until = 0.0

    def check(self, name: str) -> None:
        """Raise CircuitOpen while open. After the rest one call passes; others wait for its result."""
        if self._failures < self._limit:
            return
        now = self._clock()
        if now < self._closed_until:
            seconds = self._closed_until - now
            message = f"{name} failed {self._failures} times in a row and is not called for another {seconds:.0f} s"
            raise CircuitOpen(message, retry_after=seconds)
        self._closed_until = now + self._rest

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self) -> None:
        self._failures += 1
        self._closed_until = self._clock() + self._rest


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Retry-After in seconds; the date form is ignored."""
    try:
        return max(0.0, float(headers["retry-after"]))
    except (KeyError, ValueError):
        return None


async def with_retries(
    name: str, attempt_once: Callable[[], AsyncGenerator[Piece, None]], patience: Deadlines, breaker: Breaker
) -> AsyncGenerator[Piece, None]:
    """Stream an attempt; retry after a transient fault unless text has been sent. Raises ProviderError."""
    attempt, spoken = 1, False
    while True:
        breaker.check(name)
        try:
            async with aclosing(attempt_once()) as pieces:
                async for piece in pieces:
                    spoken = spoken or bool(piece.text)
                    yield piece
        except TransientError as error:
            breaker.failed()
            attempt += 1
            wait = None if spoken else patience.wait_before(attempt, error)
            if wait is None:
                raise
            log.info("%s; attempt %d in %.1f s", error, attempt, wait)
        else:
            breaker.succeeded()
            return
        await asyncio.sleep(wait)
