"""The events of a turn: numbered, stored for an hour, then sent to its reader."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from django.db import Error as DatabaseFault

from chat.answering.domain.events import Done, Event, Fault, payload
from chat.conversations import services
from chat.conversations.selectors import events_after, stored_response
from chat.models import Turn
from lectorium.threads import in_thread

log = logging.getLogger(__name__)


class EventLog:
    """Numbers a turn's events, stores each, then sends it. A turn that was ended elsewhere stops here.

    The end of a turn is sent even where it cannot be stored. Any other event is sent only once it is stored; its
    DatabaseFault fails the turn. A turn that is stopped while an event is stored waits for that in its next event, so
    that no number is given twice.
    """

    def __init__(self, turn: Turn, send: Callable[[dict[str, Any]], Awaitable[None]], stop: Callable[[], None]) -> None:
        self.told_fault = False
        self._turn = turn
        self._send = send
        self._stop = stop
        self._seq = 0
        self._over = False
        self._adding = asyncio.Lock()

    async def add(self, event: Event) -> None:
        await asyncio.shield(self._add(event))

    async def _add(self, event: Event) -> None:
        async with self._adding:
            await self._number_and_send(event)

    async def _number_and_send(self, event: Event) -> None:
        if self._over:
            return
        values = {**payload(event), "turn": str(self._turn.pk), "seq": self._seq + 1}
        try:
            await self._keep(values)
        except services.TurnEnded:
            self._over = True
            for last in await in_thread(events_after, self._turn, self._seq):
                await self._send(last)
            self._stop()
            return
        except DatabaseFault:
            if not isinstance(event, Fault | Done):
                raise
            log.warning("turn %s: the database is away, so its end is sent and not stored", self._turn.pk)
        self._seq += 1
        self.told_fault |= isinstance(event, Fault)
        await self._send(values)

    async def _keep(self, values: dict[str, Any]) -> None:
        await in_thread(
            services.event_store,
            conversation_id=self._turn.conversation_id,
            turn_id=self._turn.pk,
            seq=values["seq"],
            payload=values,
        )


def ending(turn: Turn) -> dict[str, Any]:
    """The `done` of a turn that ended without sending one, or whose events are no longer stored."""
    return payload(stored_response(turn).done)
