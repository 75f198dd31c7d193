"""A reader's connection, over a websocket or an HTTP stream: it begins turns, follows them, and stops them.

A turn runs as a task of its own, so that a stop is received while it works, and a reload finds it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error as DatabaseFault
from django.utils.translation import override

from chat.answering.after_answer import add_after_answer
from chat.answering.domain.events import Event, Fault, payload
from chat.answering.domain.query.checks import BadMessage
from chat.answering.domain.question import Question
from chat.answering.domain.viewer import Viewer
from chat.conversations import services
from chat.conversations.local_titles import with_translated_titles
from chat.conversations.local_words import with_local_messages
from chat.conversations.selectors import turn_of
from chat.live.admission import TooManyTurns, admission_control
from chat.live.event_log import EventLog
from chat.live.follow import follow_turn, rest_of_turn
from chat.live.protocol import AskMessage, ResumeMessage, StopMessage, parse_message
from chat.live.running import LiveTurn, stop_where_it_runs
from chat.live.turn_runner import UNAVAILABLE, admit, begin_current, run_admitted_turn
from chat.live.visitors import Visitor, visitor_of
from chat.models import Turn
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

NOT_KEPT = Fault("not_found", "This answer is no longer kept; please ask again.", retryable=False)

Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ConnectedReader:
    """Who is connected.

    languages: wanted for titles, the most wanted first; none where titles have no translations. wants_next_questions:
    whether what could be asked next is looked for once the answer stands.
    """

    visitor: Visitor
    address: str
    languages: Sequence[str]
    interface_language: str
    wants_next_questions: bool = True


class ReaderConnection:
    """It begins one turn at a time, or follows one that was begun on another connection."""

    def __init__(self, reader: ConnectedReader, send: Send, sign_out: Callable[[], Awaitable[None]]) -> None:
        """`send` delivers an event; `sign_out` ends the connection of a reader whose session has ended."""
        self._layer = get_channel_layer()
        self._reader = reader
        self._send_to_reader = send
        self._sign_out = sign_out
        self._turn: LiveTurn | None = None
        self._following: asyncio.Task[None] | None = None
        self._followed: UUID | None = None
        self._closed = False

    async def receive(self, text: str) -> None:
        """Do what a message asks for; a turn that it begins or follows goes on after this returns."""
        try:
            message = parse_message(text, max_question=settings.QUESTION_MAX_CHARS)
        except BadMessage as error:
            await self._send(Fault("bad_message", str(error), retryable=False))
            return
        if message == StopMessage():
            await self._cancel()
            return
        try:
            await self._handle(message)
        except DatabaseFault:
            log.exception("a message could not be handled")
            await self._send(Fault("unavailable", UNAVAILABLE, retryable=True))

    async def ended(self) -> None:
        """Wait until what was begun or followed here has ended, with what comes after its answer."""
        if self._turn:
            await self._turn.ended()
        if self._following:
            await asyncio.wait([self._following])

    def leave(self, *, has_grace: bool = True) -> None:
        """The reader is gone: what was begun here runs on for a while, or without grace stops at once."""
        self._closed = True
        if self._following:
            self._following.cancel()
        if self._turn and has_grace:
            self._turn.leave()
        elif self._turn:
            self._turn.cancel()

    async def end_session(self) -> None:
        """The reader has signed out: close, and stop what runs."""
        self._closed = True
        await self._sign_out()
        await self._cancel()

    async def begin(self, ask: AskMessage, visitor: Visitor, turn_id: UUID | None = None) -> Turn:
        """Admit a question and start its turn. Raises TooManyTurns, ConversationNotFound, TurnExists."""
        asked = Question(
            ask.question, await in_thread(visitor.viewer, ask.scope), ask.mode, ask.locale, as_typed=ask.as_typed
        )
        start = partial(services.turn_start, question=asked, conversation_id=ask.conversation, turn_id=turn_id)
        row, question, place = await admit(
            start, reader=visitor.counted_as, address=self._reader.address, session=visitor.session_key
        )
        self._turn = LiveTurn(self._layer, row.pk)
        self._turn.begin(self._run(self._turn, row, question, place), over=place.close)
        return row

    async def _handle(self, message: AskMessage | ResumeMessage | StopMessage) -> None:
        visitor = self._reader.visitor
        now = await in_thread(visitor_of, visitor.session_key)  # the session may have ended since the last message
        if now is None or now.user_id != visitor.user_id:
            await self.end_session()
            return
        match message:
            case AskMessage():
                await self._ask(message, now)
            case ResumeMessage():
                await self._resume(message, await in_thread(now.viewer))
            case StopMessage(turn=UUID() as turn_id):
                await self._stop(turn_id, await in_thread(now.viewer))

    async def _ask(self, ask: AskMessage, visitor: Visitor) -> None:
        if self._is_busy():
            await self._send(Fault("busy", "One question at a time: stop the current one first.", retryable=True))
            return
        if self._turn:
            await self._turn.stop()  # its answer stands; only its next questions are given up
        try:
            await self.begin(ask, visitor)
        except TooManyTurns as error:
            await self._send(Fault("busy", str(error), retryable=True))
        except services.ConversationNotFound:
            await self._send(Fault("not_found", "This conversation does not exist.", retryable=False))

    async def _run(self, live: LiveTurn, row: Turn, question: Question, place: contextlib.ExitStack) -> None:
        """Answer, give up the place, then add what follows the answer."""
        events = EventLog(row, self._send_values, live.cancel)
        turn = begin_current(row, question, events)
        with place:
            answered = await run_admitted_turn(row, turn, events)
        live.answered = True
        if answered and self._reader.wants_next_questions:
            await add_after_answer(turn, answered, admission_control().is_full)

    def _is_busy(self) -> bool:
        return self._followed is not None or bool(self._turn and self._turn.is_running and not self._turn.answered)

    async def _resume(self, resume: ResumeMessage, viewer: Viewer) -> None:
        """Send missed events again; of a turn that still runs, also those to come."""
        turn = await in_thread(turn_of, resume.turn, viewer)
        if turn is None:
            await self._send(NOT_KEPT)
        elif turn.outcome:
            async for event in rest_of_turn(turn, resume.after, viewer):
                await self._send_values(event)
        else:
            if self._following:
                self._following.cancel()
            self._followed = turn.pk
            self._following = asyncio.create_task(self._follow(turn, resume.after, viewer))

    async def _follow(self, turn: Turn, after: int, viewer: Viewer) -> None:
        """Send the events of a turn that another connection began.

        The reader may ask again once nothing is followed: the answer stands, and only next questions are to come.
        """
        fault = None
        try:
            async for event in follow_turn(self._layer, turn, after, viewer):
                if event["type"] == "done":
                    self._followed = None
                await self._send_values(event)
        except DatabaseFault:
            log.exception("turn %s could not be followed to its end", turn.pk)
            fault = Fault("unavailable", UNAVAILABLE, retryable=True)
        except Turn.DoesNotExist:
            fault = NOT_KEPT
        # Not reached by a task that was cancelled because its reader follows another turn.
        was_followed, self._followed = self._followed, None
        if fault and was_followed:
            await self._send(fault)

    async def _stop(self, turn_id: UUID, viewer: Viewer) -> None:
        """Stop a turn of the reader's own that another connection runs; another reader's looks like a missing one."""
        if turn := await in_thread(turn_of, turn_id, viewer):
            await stop_where_it_runs(self._layer, turn.pk)

    async def _cancel(self) -> None:
        """Stop what this connection runs or follows."""
        if self._turn:
            await self._turn.stop()
        if self._followed:
            await stop_where_it_runs(self._layer, self._followed)

    async def _send(self, event: Event) -> None:
        await self._send_values({**payload(event), "turn": None, "seq": 0})

    async def _send_values(self, values: Mapping[str, Any]) -> None:
        """Send an event in the reader's language. A closed connection loses nothing: the event is stored."""
        if self._reader.languages:
            values = await in_thread(with_translated_titles, values, self._reader.languages)
        with override(self._reader.interface_language):
            values = with_local_messages(values)
        if self._closed:
            return
        try:
            await self._send_to_reader(dict(values))
        except Exception as error:  # noqa: BLE001 - each server has its own for a connection that has just closed
            self._closed = True
            log.info("an event was not sent, because the connection is closed: %s", type(error).__name__)
