"""A recorded turn as the page runs it, without a socket."""

from functools import cached_property

from chat.answering.after_answer import run_turn
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.question import Mode, Question
from chat.answering.turn_records import record_turn, turn_trace
from chat.answering.turn_result import TurnResult
from chat.conversations.services import turn_start
from lectorium.threads import in_thread


class FinishedTurn:
    """A turn that has ended: its ids and question, what was shown, what was decided, and the response."""

    def __init__(self, turn, result, response):
        self.turn, self.result, self._response = turn, result, response

    def __getattr__(self, name):
        for part in (self.turn, self.result, self.result.shown):
            if hasattr(part, name):
                return getattr(part, name)
        raise AttributeError(name)

    @cached_property
    def trace(self):
        return turn_trace(self.result)

    @property
    def sent(self):
        return self.turn.sink.sent

    @property
    def nearest(self):
        return self.response()["nearest"]

    def validation(self):
        return self.result.shown.validation()

    def response(self):
        return self._response.as_dict()


async def ended_turn(turn, record):
    """Run a turn and return it ended; `record` makes the response of its result."""
    results = [TurnResult()]

    async def noted(turn, result):
        results.append(result)
        return await record(turn, result)

    response = await run_turn(turn, noted)
    return FinishedTurn(turn, results[-1], response)


async def run_recorded(text, viewer, *, mode="instant", conversation=None, locale="en", hear=None):
    """Return a recorded turn and its events; `hear` takes each as it is sent."""
    asked = Question(text, viewer, Mode(mode), locale)
    row, question = await in_thread(turn_start, question=asked, conversation_id=conversation)
    events = []

    async def emit(event):
        events.append(event)
        if hear:
            await hear(event)

    turn = CurrentTurn(row.pk, row.conversation_id, question, EventSink(emit))
    return await ended_turn(turn, record_turn), events
