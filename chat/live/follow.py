"""Follows a turn that another connection began: its stored events, then those to come, until its end."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from chat.answering import turn_records
from chat.answering.domain.viewer import Viewer
from chat.conversations.selectors import events_missed
from chat.live.event_log import ending
from chat.live.running import is_running, stop_where_it_runs
from chat.models import Turn
from lectorium.threads import in_thread

MISSED_REPLIES = 5  # in a row until a turn counts as lost: a busy process may take seconds to reply
STOPPED_IN, LOOK = 2.0, 0.05  # seconds: how long a turn in another process has to stop, and how often to check


async def follow_turn(layer: Any, turn: Turn, after: int, viewer: Viewer) -> AsyncIterator[dict[str, Any]]:
    """Yield a turn's events after event number `after`, until no process runs it; a lost turn is ended here.

    What follows the answer, such as next questions, comes after its `done`.
    """
    missed, runs, is_over = 0, True, False
    while missed < MISSED_REPLIES and (runs or not is_over):
        runs = await is_running(layer, turn.pk)
        events = await in_thread(events_missed, turn, after, viewer)
        for event in events:
            is_over |= event["type"] == "done"
            yield event
        after = events[-1]["seq"] if events else after
        missed = 0 if runs or events else missed + 1
        await asyncio.sleep(LOOK)
    if is_over:
        return
    await in_thread(turn.refresh_from_db)
    if not turn.outcome:
        await _end(layer, turn)
    async for event in rest_of_turn(turn, after, viewer):
        yield event


async def rest_of_turn(turn: Turn, after: int, viewer: Viewer) -> AsyncIterator[dict[str, Any]]:
    """Yield the events of an ended turn; its end also where that is no longer stored."""
    events = await in_thread(events_missed, turn, after, viewer)
    for event in events:
        yield event
    if not any(event["type"] == "done" for event in events):
        await in_thread(turn.refresh_from_db)
        seq = events[-1]["seq"] if events else after
        yield {**ending(turn), "turn": str(turn.pk), "seq": seq + 1}


async def _end(layer: Any, turn: Turn) -> None:
    """Ask the process that runs the turn to stop and record it; end it here if none does so in time."""
    if await stop_where_it_runs(layer, turn.pk):
        for _ in range(round(STOPPED_IN / LOOK)):
            await in_thread(turn.refresh_from_db)
            if turn.outcome:
                return
            await asyncio.sleep(LOOK)
    await in_thread(turn_records.turn_interrupt, turn)
