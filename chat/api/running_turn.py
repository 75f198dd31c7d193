"""A question asked over the API: admitted, run and recorded like one that comes over the socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from channels.layers import get_channel_layer
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from rest_framework.request import Request

from chat.answering.after_answer import add_after_answer
from chat.answering.domain.answer import AnswerSentence, framing_line, markdown
from chat.answering.domain.events import EDITORS
from chat.answering.domain.question import HistoryMessage, Question
from chat.answering.domain.response import AnsweredResponse
from chat.answering.turn_result import RecordedAnswer
from chat.api.errors import TurnFailed
from chat.api.idempotency import AskKey, keyed_turn_start
from chat.conversations import services
from chat.conversations.local_words import local_message, with_local_messages
from chat.conversations.viewers import viewer_of
from chat.live.admission import admission_control
from chat.live.budgets import ACCOUNT
from chat.live.event_log import EventLog
from chat.live.protocol import AskMessage
from chat.live.running import LiveTurn
from chat.live.turn_runner import admit, begin_current, run_admitted_turn
from chat.models import Turn
from lectorium.threads import in_thread
from lectorium.web.lockout import client_address

STOPPED = "The question was stopped before it was answered."


@dataclass(frozen=True, slots=True)
class QuestionSender:
    """The account that asks and its network address; the questions of each are counted together."""

    user: AbstractBaseUser | AnonymousUser
    address: str

    @property
    def counted_as(self) -> dict[str, str]:
        return {"reader": f"{ACCOUNT}{self.user.pk}", "address": self.address}


class RunningTurn:
    """A turn under way; its events and its texts wait until they are read.

    outlives: whether it goes on for a while without its client, who has a key to ask for it again.
    """

    def __init__(self, row: Turn, question: Question, *, outlives: bool = False) -> None:
        log = EventLog(row, self._receive, self.stop)
        self.current = begin_current(row, question, log)
        self._outlives = outlives
        self._fault: TurnFailed | None = None
        self._events: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._notice = ""
        self._sentences: list[AnswerSentence] = []
        self._sent = ""
        self._answered: asyncio.Future[RecordedAnswer | None] = asyncio.get_running_loop().create_future()
        self._live = LiveTurn(get_channel_layer(), row.pk)
        self._live.begin(self._run(row, log), over=self._end_events)

    async def _run(self, row: Turn, log: EventLog) -> None:
        """Answer, end the texts, then add what follows the answer."""
        answered = await run_admitted_turn(row, self.current, log)
        self._live.answered = True
        self._end(answered)
        if answered:
            await add_after_answer(self.current, answered, admission_control().is_full)

    def leave_after(self, place: contextlib.ExitStack) -> None:
        """Give up the turn's place once its answer stands."""
        self._answered.add_done_callback(lambda _: place.close())

    def stop(self) -> None:
        """Stop a turn that is not answered yet, without waiting for it: it is recorded as stopped."""
        if not self._answered.done():
            self._live.cancel()

    def leave(self) -> None:
        """The client is gone: stop, in a while where it may come back."""
        if self._outlives:
            self._live.leave()
        else:
            self.stop()

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the events that the socket sends, in order, until what follows the answer is done."""
        while (event := await self._events.get()) is not None:
            yield event

    async def texts(self) -> AsyncIterator[str]:
        """Yield the answer's Markdown as its sentences pass their checks; together it is that of the response."""
        while (text := await self._texts.get()) is not None:
            yield text

    async def response(self) -> AnsweredResponse:
        """The response once the turn is recorded; cancelling this leaves the turn. Raises TurnFailed."""
        try:
            answered = await asyncio.shield(self._answered)
        except asyncio.CancelledError:
            self.leave()
            raise
        if self._fault or answered is None:
            raise self._fault or TurnFailed("interrupted", STOPPED, retryable=True)
        local = with_local_messages(answered.response.as_dict())
        return AnsweredResponse(**local, conversation=self.current.conversation_id)

    async def _receive(self, event: dict[str, Any]) -> None:
        self._events.put_nowait(event)
        event = with_local_messages(event)  # the task has the language of its request
        match event["type"]:
            case "error":
                self._fault = TurnFailed(event["code"], event["message"], retryable=event["retryable"])
            case "notice" if event["kind"] == "closest_passage":
                self._notice = event["message"]
            case "notice" if event["kind"] == EDITORS:
                self._notice = framing_line(event["message"])
            case "sentence":
                self._sentences.append(sentence_of(event))
                answer = "\n\n".join(filter(None, (self._notice, markdown(self._sentences))))
                self._texts.put_nowait(answer[len(self._sent) :])
                self._sent = answer

    def _end_events(self) -> None:
        self._end(None)  # also of a task that never began
        self._events.put_nowait(None)

    def _end(self, answered: RecordedAnswer | None) -> None:
        """Send the message of a turn that showed no sentence, then end the texts, once."""
        if self._answered.done():
            return
        if answered and not self._sent and not self._fault:
            self._texts.put_nowait(local_message(answered.response.message))
        self._texts.put_nowait(None)
        self._answered.set_result(answered)


def sentence_of(event: Mapping[str, Any]) -> AnswerSentence:
    """The sentence that an event shows, with what its Markdown needs."""
    values = {name: event[name] for name in ("text", "kind", "verdict", "support", "quoted", "paragraph")}
    numbers = tuple(citation["n"] for citation in event["citations"])
    return AnswerSentence(**values, citations=numbers, block=event["block"], conflicting=event["conflicting"])


def sender_of(request: Request) -> QuestionSender:
    return QuestionSender(request.user, client_address(request._request) or "")


async def begin_turn(
    sender: QuestionSender, ask: AskMessage, history: tuple[HistoryMessage, ...] = (), key: AskKey | None = None
) -> RunningTurn:
    """Admit the sender's question and start its turn.

    history: what was said before; a conversation that is named has its own. Raises TooManyTurns, ConversationNotFound,
    and KeyTaken.
    """
    start = partial(keyed_turn_start, key=key) if key else services.turn_start
    viewer = await in_thread(viewer_of, sender.user, None, ask.scope)
    asked = Question(ask.question, viewer, ask.mode, ask.locale, as_typed=ask.as_typed)
    begun = partial(start, question=asked, conversation_id=ask.conversation)
    turn, threaded, place = await admit(begun, **sender.counted_as)
    question = threaded if ask.conversation else replace(threaded, history=history)
    running = RunningTurn(turn, question, outlives=key is not None)
    running.leave_after(place)
    return running
