"""A question that comes over the API: admitted, run and recorded as one that comes over the socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from rest_framework.request import Request

from chat.answering.domain.question import HistoryMessage, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.journal import Journal
from chat.api.errors import TurnFailed
from chat.conversations import services
from chat.conversations.viewers import viewer_of
from chat.live.admission import admission_control
from chat.live.event_log import EventLog
from chat.live.protocol import AskMessage
from chat.live.turn_runner import run_admitted_turn
from chat.models import Turn
from lectorium.threads import in_thread
from lectorium.web.lockout import client_address


class RunningTurn:
    """A turn under way; what is told of it waits until it is asked for."""

    def __init__(self, turn: Turn, question: Question) -> None:
        events = EventLog(turn, self._hear, self.stop)
        self.journal = Journal(turn.pk, turn.conversation_id, question, events.add)
        self._fault: TurnFailed | None = None
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._told = ""
        self._task = asyncio.create_task(run_admitted_turn(turn, self.journal, events, contextlib.nullcontext()))
        self._task.add_done_callback(lambda _: self._texts.put_nowait(None))

    def leave_after(self, place: contextlib.ExitStack) -> None:
        """Give the place of the turn up once it is over."""
        self._task.add_done_callback(lambda _: place.close())

    def stop(self) -> None:
        """Stop the turn, and do not wait for it: it is recorded as stopped."""
        self._task.cancel()

    async def texts(self) -> AsyncIterator[str]:
        """Yield the answer's Markdown as its sentences pass their checks; together it is that of the response."""
        while (text := await self._texts.get()) is not None:
            yield text

    async def response(self) -> dict[str, Any]:
        """Return the response once the turn is recorded; who is cancelled here stops the turn. Raises TurnFailed."""
        await self._task
        if self._fault:
            raise self._fault
        return {**self.journal.response(), "conversation": str(self.journal.conversation_id)}

    async def _hear(self, event: dict[str, Any]) -> None:
        if event["type"] == "error":
            self._fault = TurnFailed(event["code"], event["message"], retryable=event["retryable"])
        elif event["type"] == "sentence":
            answer = self.journal.answer
            self._texts.put_nowait(answer[len(self._told) :])
            self._told = answer
        elif event["type"] == "done" and not self._told and not self._fault:
            self._texts.put_nowait(self.journal.message)


def sender_of(request: Request, viewer: Viewer) -> dict[str, str]:
    """Return the reader and the address whose questions are counted together: {"reader", "address"}."""
    return {"reader": f"account {viewer.user_id}", "address": client_address(request._request) or ""}


async def begin_turn(request: Request, ask: AskMessage, history: tuple[HistoryMessage, ...] = ()) -> RunningTurn:
    """Admit the question of the token's owner and start its turn.

    history: what was said before; a conversation that is named has its own. Raises Busy or ConversationNotFound.
    """
    viewer = await in_thread(viewer_of, request.user, None, ask.scope)
    asked = Question(ask.question, viewer, ask.mode, ask.locale, as_typed=ask.as_typed)
    with contextlib.ExitStack() as held:
        held.enter_context(admission_control().admitted(**sender_of(request, viewer)))
        turn, threaded = await in_thread(services.turn_start, question=asked, conversation_id=ask.conversation)
        question = threaded if ask.conversation else replace(threaded, history=history)
        running = RunningTurn(turn, question)
        running.leave_after(held.pop_all())
    return running
