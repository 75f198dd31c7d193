"""A turn that is measured: what a reader waits for, and nothing of the record that is written after it."""

from uuid import uuid4

from chat.answering.journal import Journal, discard_event
from chat.answering.turn import run_turn


async def turn_of(question, hear=discard_event):
    """Return the journal of a question's turn, kept by nobody; `hear` takes its events."""

    async def keep_nothing(journal):
        """What is measured is in the journal."""

    journal = Journal(uuid4(), uuid4(), question, hear)
    await run_turn(journal, keep_nothing)
    return journal
