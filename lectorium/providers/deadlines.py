"""How long a provider is waited for, how often it is asked again, and when it is left alone."""

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
    """Seconds and counts. A reader waits, so they are short; what fails here degrades to another rung."""

    connect: float = 5.0
    silence: float = 30.0  # without a word, the first one included
    whole: float = 180.0  # for the whole answer: a model that never ends is stopped
    attempts: int = 3
    first_wait: float = 0.5  # doubled each time, and spread by chance so that turns do not return together
    longest_wait: float = 4.0  # a service that asks for more is not waited for

    def wait_before(self, attempt: int, error: TransientError) -> float | None:
        """Return the seconds to wait before attempt number `attempt` (2, 3, …), None where it should not be made."""
        if attempt > self.attempts or isinstance(error, CircuitOpen | TooSlow):
            return None  # whoever waited in vain once is not made to wait as long again
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest_wait else None
        wait: float = min(self.first_wait * 2 ** (attempt - 2), self.longest_wait)
        return wait * random.uniform(0.5, 1.0)  # noqa: S311 - spreads load, guards nothing


class Breaker:
    """Leaves a service alone for `rest` seconds after `limit` transient failures in a row; then one call tries it."""

    def __init__(self, limit: int = 5, rest: float = 30.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._rest, self._clock = limit, rest, clock
        self._failures = 0
        self._closed_until = 0.0

    def check(self, name: str) -> None:
        """Raise CircuitOpen while the service rests; the first call afterwards goes through, others wait for it."""
        if self._failures < self._limit:
            return
        now = self._clock()
        if now < self._closed_until:
            seconds = self._closed_until - now
            message = f"{name} failed {self._failures} times in a row and is left alone for another {seconds:.0f} s"
            raise CircuitOpen(message, retry_after=seconds)
        self._closed_until = now + self._rest

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self) -> None:
        self._failures += 1
        self._closed_until = self._clock() + self._rest


def seconds_asked(headers: Mapping[str, str]) -> float | None:
    """Return Retry-After in seconds; the rarer form, a date, counts as unsaid."""
    try:
        return max(0.0, float(headers["retry-after"]))
    except (KeyError, ValueError):
        return None


async def persistently(
    name: str, attempt_once: Callable[[], AsyncGenerator[Piece, None]], patience: Deadlines, breaker: Breaker
) -> AsyncGenerator[Piece, None]:
    """Stream an attempt; where it fails for a while and nothing was said yet, try again. Raises ProviderError."""
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
