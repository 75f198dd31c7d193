"""Runs a turn that was admitted to its recorded end, for whoever listens: the socket or the API."""

import asyncio
import contextlib
import logging

from django.db import Error as DatabaseFault

from chat.answering import turn_records
from chat.answering.domain.events import Done, Fault
from chat.answering.journal import Journal
from chat.answering.turn import run_turn
from chat.live.admission import admission_control
from chat.live.event_log import EventLog
from chat.models import Turn
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

UNAVAILABLE = "Lectorium cannot reach its database right now. Please ask again in a moment."
WAITING = "many questions at once: yours is waiting its turn"
NOT_RECORDED = "This answer could not be recorded, so it does not count. Please ask again in a moment."


async def run_admitted_turn(
    turn: Turn, journal: Journal, events: EventLog, listening: contextlib.AbstractAsyncContextManager[None]
) -> None:
    """Wait for a place, then take the turn to its end. `listening` is held meanwhile. Cancelling stops the turn."""

    async def record(finished: Journal) -> None:
        await in_thread(turn_records.turn_record, finished)

    try:
        async with listening, admission_control().working(lambda: journal.status("queue", WAITING)):
            await run_turn(journal, record)
    except asyncio.CancelledError:  # stopped before it began
        with contextlib.suppress(DatabaseFault):
            await in_thread(turn_records.turn_interrupt, turn)
        await journal.say(Done(Turn.Outcome.INTERRUPTED, "", complete=False))
    except Exception:  # its row stays open for `turns_close_abandoned`; its reader must not wait for that
        log.exception("turn %s could not be brought to its end", turn.pk)
        if not events.told_fault:
            await journal.say(Fault("not_recorded", NOT_RECORDED, retryable=True))
        await journal.say(Done(Turn.Outcome.FAILED, "", complete=False))
