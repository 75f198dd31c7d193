"""Admission control: how many turns a process runs at once, and how many one reader or address may have there."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from weakref import WeakKeyDictionary

from django.conf import settings

from lectorium.metrics import UNDER_WAY, WAITING

OWN = "You have as many questions under way as one reader may have here: wait for one to end, or stop it."
FROM_ONE_PLACE = "Too many questions come from your network at once. Please ask again in a moment."
ALL = "Too many people are asking at once. Please ask again in a minute; your question is back in the box."
WAITING_MOST = 64  # questions that may wait, however many run

_controls: WeakKeyDictionary[asyncio.AbstractEventLoop, "AdmissionControl"] = WeakKeyDictionary()


class TooManyTurns(Exception):
    """The question is not admitted now; the text tells the reader why. seconds: after which to ask again."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class AdmissionControl:
    """Admits a limited number of turns, and lets some of them run at a time, first come first served."""

    def __init__(self, *, at_once: int, of_a_reader: int, of_an_address: int) -> None:
        """Limits are turns of this process; those of a reader and of an address include waiting turns."""
        self._at_once = at_once
        self._line: list[asyncio.Event] = []  # of the turns that run or wait, in order; the first `at_once` run
        self._admitted: Counter[str] = Counter()
        self._of_a_reader, self._of_an_address = of_a_reader, of_an_address
        self._of_all = at_once + WAITING_MOST

    @contextmanager
    def admitted(self, *, reader: str, address: str) -> Iterator[None]:
        """Count a turn while the block runs. Raises TooManyTurns where its reader, its address or all have too many."""
        limits = {
            f"reader {reader}": (self._of_a_reader, OWN, 5),
            f"address {address}": (self._of_an_address, FROM_ONE_PLACE, 5),
            "all": (self._of_all, ALL, 60),
        }
        for whose, (most, said, seconds) in limits.items():
            if self._admitted[whose] >= most:
                raise TooManyTurns(said, seconds)
        self._admitted.update(limits.keys())
        try:
            yield
        finally:
            self._admitted.subtract(limits.keys())
            self._admitted += Counter()  # what is at zero is forgotten

    @property
    def is_waited_for(self) -> bool:
        """Whether a turn waits for a slot."""
        return len(self._line) > self._at_once

    def is_full(self) -> bool:
        """Whether a new turn would have to wait."""
        return len(self._line) >= self._at_once

    @asynccontextmanager
    async def working(self, waits: Callable[[int], Awaitable[None]] | None = None) -> AsyncIterator[None]:
        """Hold one of the slots to run in.

        `waits` is called with the number of turns that wait before this one, and again as it moves up: after each
        step near the front, less often further back, because each call costs a stored event.
        """
        ticket = asyncio.Event()
        self._line.append(ticket)
        try:
            with WAITING.track_inprogress():
                await self._wait(ticket, waits)
            with UNDER_WAY.track_inprogress():
                yield
        finally:
            self._line.remove(ticket)
            for other in self._line:
                other.set()

    async def _wait(self, ticket: asyncio.Event, waits: Callable[[int], Awaitable[None]] | None) -> None:
        told = None
        while True:
            ticket.clear()
            before = self._line.index(ticket) - self._at_once
            if before < 0:
                return
            if waits and (told is None or before <= told - max(1, told // 4)):
                told = before
                await waits(before)  # the line may have moved meanwhile
            else:
                await ticket.wait()


def admission_control() -> AdmissionControl:
    """The admission control of this process's event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _controls:
        _controls[loop] = AdmissionControl(
            at_once=settings.TURNS_AT_ONCE,
            of_a_reader=settings.TURNS_OF_A_READER,
            of_an_address=settings.TURNS_OF_AN_ADDRESS,
        )
    return _controls[loop]
