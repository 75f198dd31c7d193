"""A question asked over the API: admitted, run and recorded like one that comes over the socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

from rest_framework.request import Request

from chat.answering.domain.answer import AnswerSentence, markdown
from chat.answering.domain.question import HistoryMessage, Question
from chat.answering.domain.response import AnsweredResponse, TurnResponse
from chat.answering.domain.viewer import Viewer
from chat.api.errors import TurnFailed
from chat.conversations import services
from chat.conversations.viewers import viewer_of
from chat.live.admission import admission_control
from chat.live.event_log import EventLog
from chat.live.protocol import AskMessage
from chat.live.turn_runner import begin_current, run_admitted_turn
from chat.models import Turn
from lectorium.threads import in_thread
from lectorium.web.lockout import client_address

STOPPED = "The question was stopped before it was answered."


class RunningTurn:
    """A turn under way; its texts wait until they are read."""

    def __init__(self, row: Turn, question: Question) -> None:
        events = EventLog(row, self._hear, self.stop)
        self.current = begin_current(row, question, events)
        self._fault: TurnFailed | None = None
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._notice = ""
        self._sentences: list[AnswerSentence] = []
        self._sent = ""
        self._task = asyncio.create_task(run_admitted_turn(row, self.current, events, contextlib.nullcontext()))
        self._task.add_done_callback(self._end)

    def leave_after(self, place: contextlib.ExitStack) -> None:
        """Give up the turn's place once it is over."""
        self._task.add_done_callback(lambda _: place.close())

    def stop(self) -> None:
        """Stop the turn without waiting for it: it is recorded as stopped."""
        self._task.cancel()

    async def texts(self) -> AsyncIterator[str]:
        """Yield the answer's Markdown as its sentences pass their checks; together it is that of the response."""
        while (text := await self._texts.get()) is not None:
            yield text

    async def response(self) -> AnsweredResponse:
        """The response once the turn is recorded; cancelling this stops the turn. Raises TurnFailed."""
        response = await self._task
        if self._fault or response is None:
            raise self._fault or TurnFailed("interrupted", STOPPED, retryable=True)
        return AnsweredResponse(**dict(response), conversation=self.current.conversation_id)

    async def _hear(self, event: dict[str, Any]) -> None:
        match event["type"]:
            case "error":
                self._fault = TurnFailed(event["code"], event["message"], retryable=event["retryable"])
            case "notice" if event["kind"] == "closest_passage":
                self._notice = event["message"]
            case "sentence":
                self._sentences.append(sentence_of(event))
                answer = "\n\n".join(filter(None, (self._notice, markdown(self._sentences))))
                self._texts.put_nowait(answer[len(self._sent) :])
                self._sent = answer

    def _end(self, task: "asyncio.Task[TurnResponse | None]") -> None:
        """Send the message of a turn that showed no sentence, then end the texts."""
        response = None if task.cancelled() or task.exception() else task.result()
        if response and not self._sent and not self._fault:
            self._texts.put_nowait(response.message)
        self._texts.put_nowait(None)


def sentence_of(event: Mapping[str, Any]) -> AnswerSentence:
    """The sentence that an event shows, with what its Markdown needs."""
    values = {name: event[name] for name in ("text", "kind", "verdict", "support", "quoted", "paragraph")}
    numbers = tuple(citation["n"] for citation in event["citations"])
    return AnswerSentence(**values, citations=numbers, block=event["block"], conflicting=event["conflicting"])


def sender_of(request: Request, viewer: Viewer) -> dict[str, str]:
    """The reader and the address whose questions are counted together: {"reader", "address"}."""
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
