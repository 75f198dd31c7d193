"""A turn that is measured: what a reader waits for, and nothing of the record that is written after it."""

from uuid import uuid4

from chat.answering.current_turn import CurrentTurn, EventSink, discard_event
from chat.answering.turn_records import respond_only
from tests.chat.turns import ended_turn


async def turn_of(question, hear=discard_event):
    """Return a question's turn, recorded by nobody; `hear` takes its events."""
    return await ended_turn(CurrentTurn(uuid4(), uuid4(), question, EventSink(hear)), respond_only)
