"""A turn that is measured: what a reader waits for, and nothing of the record that is written after it."""

from uuid import uuid4

from chat.answering.journal import Journal, unheard
from chat.answering.turn import conduct


async def turn_of(question, hear=unheard):
    """Return the journal of a question's turn, kept by nobody; `hear` takes its events."""

    async def keep_nothing(journal):
        """What is measured is in the journal."""

    journal = Journal(uuid4(), uuid4(), question, hear)
    await conduct(journal, keep_nothing)
    return journal
