"""A recorded turn as the page runs it, without a socket."""

from chat.answering.domain.question import Mode, Question
from chat.answering.journal import Journal
from chat.answering.turn import run_turn
from chat.answering.turn_records import turn_record
from chat.conversations.services import turn_start
from lectorium.threads import in_thread


async def conducted(text, viewer, *, mode="instant", conversation=None, locale="en", hear=None):
    """Return the journal of a recorded turn and its events; `hear` takes each as it is said."""
    asked = Question(text, viewer, Mode(mode), locale)
    turn, question = await in_thread(turn_start, question=asked, conversation_id=conversation)
    events = []

    async def emit(event):
        events.append(event)
        if hear:
            await hear(event)

    async def record(journal):
        await in_thread(turn_record, journal)

    journal = Journal(turn.pk, turn.conversation_id, question, emit)
    await run_turn(journal, record)
    return journal, events
