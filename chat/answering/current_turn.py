"""The turn being answered: who asks what, where its events go, and its clock. Nothing here decides anything."""

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from chat.answering.domain.events import Event, Status
from chat.answering.domain.question import Question
from lectorium.ladder.calls import Call

Emit = Callable[[Event], Awaitable[None]]
STAGES = ("route", "plan", "retrieve", "discard", "synthesize", "verify")


async def discard_event(event: Event) -> None:
    """Drop an event: the outlet of a question that is only tried."""


class EventSink:
    """Sends events, and remembers what it sent."""

    def __init__(self, emit: Emit = discard_event) -> None:
        self.sent: list[Event] = []
        self._emit = emit

    async def send(self, event: Event) -> None:
        self.sent.append(event)
        await self._emit(event)


class StageClock:
    """Times the stages of a turn, and the turn until it is stopped."""

    def __init__(self) -> None:
        self.began = time.time()  # seconds since 1970
        self._seconds: dict[str, float] = {}
        self._started = time.perf_counter()
        self._stopped: float | None = None

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the block's wall time to a stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.add(stage, time.perf_counter() - began)

    def add(self, stage: str, seconds: float) -> None:
        """Add seconds to a stage. Time of a stage that runs inside another counts for both."""
        self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds

    def stop(self) -> None:
        """Fix the total, so that the record and the last event give the same number."""
        self._stopped = time.perf_counter()

    def milliseconds(self) -> dict[str, int]:
        """Milliseconds by stage, and in total until the clock was stopped, or until now."""
        stages = {stage: round(1000 * self._seconds[stage]) for stage in STAGES if stage in self._seconds}
        return {**stages, "total": round(1000 * ((self._stopped or time.perf_counter()) - self._started))}


@dataclass(frozen=True, slots=True)
class CurrentTurn:
    """calls: of chat models, filled by `lectorium.ladder.calls`. fresh: neither answered from the cache nor kept in it.

    A fresh turn is one that is only tried or measured.
    """

    turn_id: UUID
    conversation_id: UUID
    question: Question
    sink: EventSink
    clock: StageClock = field(default_factory=StageClock)
    calls: list[Call] = field(default_factory=list)
    fresh: bool = False

    @property
    def key(self) -> str:
        """The turn's name for the ladder, which shares jobs among models by percentages of turns."""
        return str(self.turn_id)

    async def say(self, event: Event) -> None:
        """Send an event to the reader."""
        await self.sink.send(event)

    async def status(self, stage: str, detail: str) -> None:
        """Tell the reader which stage begins."""
        await self.say(Status(stage, detail, conversation=str(self.conversation_id)))
