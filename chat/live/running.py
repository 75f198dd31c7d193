"""A turn that runs: it can be stopped and found from any process, and outlives a lost connection for a while.

Messages between processes go over Redis, where there is one, and may be lost: a turn that was ended elsewhere also
stops at its next event.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

from django.conf import settings

from chat.live.admission import admission_control
from chat.live.messages import SECONDS, carried, listen

AGAIN = 1.0  # seconds until the channel layer is asked again after an error

_running: set["LiveTurn"] = set()  # the event loop holds its tasks weakly


class LiveTurn:
    """One turn's task. It belongs to no connection: whoever asked may leave and come back."""

    def __init__(self, layer: Any, turn_id: UUID) -> None:
        self.turn_id = turn_id
        self.answered = False
        self._layer = layer
        self._task: asyncio.Task[None] | None = None
        self._leaving: asyncio.TimerHandle | None = None

    def begin(self, work: Coroutine[Any, Any, None], over: Callable[[], None]) -> None:
        """Run the turn's work, and call `over` after it; the work sets `answered` once the answer stands."""
        hearing = asyncio.create_task(self._handle_messages())

        def ended(task: asyncio.Task[None]) -> None:
            hearing.cancel()
            self._stay()
            _running.discard(self)
            over()

        self._task = asyncio.create_task(work)
        self._task.add_done_callback(ended)
        _running.add(self)

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def cancel(self) -> None:
        """Stop without waiting: the turn itself may be the caller."""
        if self._task:
            self._task.cancel()

    async def stop(self) -> None:
        """Stop, and wait until the turn is recorded."""
        self.cancel()
        await self.ended()

    async def ended(self) -> None:
        """Wait until the turn is recorded, and what follows its answer is done."""
        if self._task:
            await asyncio.wait([self._task])  # whoever stops waiting does not stop the turn

    def leave(self) -> None:
        """Its reader is gone: stop after the grace period, or at once if others wait, unless it is asked for."""
        self._stay()
        if self.is_running:
            seconds = 0.0 if admission_control().is_waited_for and not self.answered else settings.TURN_GRACE
            self._leaving = asyncio.get_running_loop().call_later(seconds, self.cancel)

    @property
    def is_left(self) -> bool:
        """Whether its reader is gone and it may be stopped. One that is being stopped is not stopped again."""
        is_stopping = self._task is not None and self._task.cancelling() > 0
        return self._leaving is not None and not self.answered and not is_stopping

    def _stay(self) -> None:
        if self._leaving:
            self._leaving.cancel()
            self._leaving = None

    async def _handle_messages(self) -> None:
        while True:
            with contextlib.suppress(Exception):  # each layer has its own errors, and all of them pass
                channel = await self._layer.new_channel()
                joined = asyncio.create_task(listen(self._layer, channel, group_of(self.turn_id)))
                try:
                    while True:
                        await self._handle_message(await self._layer.receive(channel))
                finally:
                    joined.cancel()
            await asyncio.sleep(AGAIN)

    async def _handle_message(self, message: dict[str, str]) -> None:
        if message["type"] == "turn.stop":
            self.cancel()
        elif message["type"] == "turn.find":
            if self._leaving:
                self.leave()  # counts from now: whoever asks will ask again
            await carried(self._layer.send(message["reply"], {"type": "turn.runs"}))


def stop_left_turn() -> None:
    """Stop a turn that its reader has left, where there is one: another question waits for its slot."""
    if left := next((turn for turn in _running if turn.is_left), None):
        left.cancel()


async def is_running(layer: Any, turn_id: UUID) -> bool:
    """Whether the turn runs in any process. Asking lets a turn without a reader run on for the grace period."""
    with contextlib.suppress(Exception):
        channel = await layer.new_channel()
        await carried(layer.group_send(group_of(turn_id), {"type": "turn.find", "reply": channel}))
        async with asyncio.timeout(SECONDS):
            await layer.receive(channel)
            return True
    return False


async def stop_where_it_runs(layer: Any, turn_id: UUID) -> bool:
    """Ask for the turn to be stopped, in whatever process it runs; True where the message was sent."""
    return await carried(layer.group_send(group_of(turn_id), {"type": "turn.stop"}))


def group_of(turn_id: UUID) -> str:
    return f"turn.{turn_id}"
