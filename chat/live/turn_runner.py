"""Admits a question, then runs its turn until the answer stands: for the socket, for forms and for the API."""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from django.db import Error as DatabaseFault

from chat.answering import turn_records
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.events import Done, Fault
from chat.answering.domain.question import Question
from chat.answering.turn import answer_turn
from chat.answering.turn_result import RecordedAnswer
from chat.live.admission import admission_control
from chat.live.budgets import question_count
from chat.live.event_log import EventLog
from chat.live.running import stop_left_turn
from chat.models import Turn
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

UNAVAILABLE = "Lectorium cannot reach its database right now. Please ask again in a moment."
NOT_RECORDED = "This answer could not be recorded, so it does not count. Please ask again in a moment."


async def admit(
    start: Callable[[], tuple[Turn, Question]], *, reader: str, address: str, session: str = ""
) -> tuple[Turn, Question, contextlib.ExitStack]:
    """Count a question, take a place for it, and store its turn by `start`.

    reader, address: whose questions of the hour are counted together, and whose turns under way. session: whose turns
    are counted together instead of the reader's. Whoever runs the turn closes the place once the answer stands. Raises
    TooManyTurns, and what `start` raises.
    """
    await in_thread(question_count, reader=reader, address=address)
    with contextlib.ExitStack() as held:
        held.enter_context(admission_control().admitted(reader=session or reader, address=address))
        row, question = await in_thread(start)
        return row, question, held.pop_all()


def begin_current(row: Turn, question: Question, events: EventLog) -> CurrentTurn:
    """The turn of a stored row, whose events go to its log."""
    return CurrentTurn(row.pk, row.conversation_id, question, EventSink(events.add))


async def run_admitted_turn(row: Turn, turn: CurrentTurn, events: EventLog) -> RecordedAnswer | None:
    """Wait for a place, then answer; None where the turn did not come to a recorded end. Cancelling stops it."""
    try:
        async with admission_control().working(lambda before: _wait(turn, before)):
            return await answer_turn(turn, turn_records.record_turn)
    except asyncio.CancelledError:  # stopped before it began
        with contextlib.suppress(DatabaseFault):
            await in_thread(turn_records.turn_interrupt, row)
        await turn.say(Done(Turn.Outcome.INTERRUPTED, "", complete=False))
    except Exception:  # its row stays open for `turns_close_abandoned`; its reader must not wait for that
        log.exception("turn %s could not be brought to its end", row.pk)
        if not events.told_fault:
            await turn.say(Fault("not_recorded", NOT_RECORDED, retryable=True))
        await turn.say(Done(Turn.Outcome.FAILED, "", complete=False))
    return None


async def _wait(turn: CurrentTurn, before: int) -> None:
    """Take the slot of a turn whose reader has left, or tell the reader their place in the line."""
    stop_left_turn()
    await turn.status("queue", place_in_line(before))


def place_in_line(before: int) -> str:
    """What a reader is told whose question waits behind so many others."""
    return f"many questions at once: {f'{before} before you' if before else 'yours is next'}"
