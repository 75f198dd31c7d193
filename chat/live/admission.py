"""How many turns a process runs at once, and how many of one reader and of one address may run or wait there."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from weakref import WeakKeyDictionary

from django.conf import settings

from lectorium.metrics import UNDER_WAY, WAITING

OWN = "You have as many questions under way as one reader may have here: wait for one to end, or stop it."
FROM_ONE_PLACE = "Too many questions come from your network at once. Please ask again in a moment."
ALL = "Too many people are asking at once. Please ask again in a minute; your question is back in the box."
WAITING_EACH = 8  # questions that may wait for each that may run

_turnstiles: WeakKeyDictionary[asyncio.AbstractEventLoop, "AdmissionControl"] = WeakKeyDictionary()


class TooManyTurns(Exception):
    """No more questions are taken from here now; its text says so to the reader."""


class AdmissionControl:
    """Admits so many turns, and lets some of them work at a time, in the order in which they came."""

    def __init__(self, *, at_once: int, of_a_reader: int, of_an_address: int) -> None:
        """Take the limits, counts of turns of this process; those of a reader and of an address include what waits."""
        self._slots = asyncio.Semaphore(at_once)
        self._admitted: Counter[str] = Counter()
        self._of_a_reader, self._of_an_address = of_a_reader, of_an_address
        self._of_all = at_once * (1 + WAITING_EACH)

    @contextmanager
    def admitted(self, *, reader: str, address: str) -> Iterator[None]:
        """Count a turn while the block runs. Raises TooManyTurns where its reader, its address or everybody has too
        many."""
        limits = {
            f"reader {reader}": (self._of_a_reader, OWN),
            f"address {address}": (self._of_an_address, FROM_ONE_PLACE),
            "all": (self._of_all, ALL),
        }
        for whose, (most, said) in limits.items():
            if self._admitted[whose] >= most:
                raise TooManyTurns(said)
        self._admitted.update(limits.keys())
        try:
            yield
        finally:
            self._admitted.subtract(limits.keys())
            self._admitted += Counter()  # what is at zero is forgotten

    @asynccontextmanager
    async def working(self, waits: Callable[[], Awaitable[None]] | None = None) -> AsyncIterator[None]:
        """Hold one of the places to work at; `waits` is called first where none is free."""
        with ExitStack() as waiting:
            waiting.enter_context(WAITING.track_inprogress())
            if waits and self._slots.locked():
                await waits()
            async with self._slots:
                waiting.close()
                with UNDER_WAY.track_inprogress():
                    yield


def admission_control() -> AdmissionControl:
    """Return that of this process's event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _turnstiles:
        _turnstiles[loop] = AdmissionControl(
            at_once=settings.TURNS_AT_ONCE,
            of_a_reader=settings.TURNS_OF_A_READER,
            of_an_address=settings.TURNS_OF_AN_ADDRESS,
        )
    return _turnstiles[loop]
