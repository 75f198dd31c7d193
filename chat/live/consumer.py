"""The websocket: a turn runs as a task of its own, so that stop is received while it works, and a reload finds it."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
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
from chat.live.budgets import question_count
from chat.live.event_log import EventLog
from chat.live.follow import follow_turn, rest_of_turn
from chat.live.messages import listen, session_group
from chat.live.protocol import AskMessage, ResumeMessage, StopMessage, parse_message
from chat.live.running import LiveTurn, stop_where_it_runs
from chat.live.turn_runner import UNAVAILABLE, begin_current, run_admitted_turn
from chat.live.visitors import Visitor, address_of, languages_of, visitor_of
from chat.models import Turn
from lectorium.metrics import SOCKETS
from lectorium.threads import in_thread
from lectorium.web.interface_language import connection_language

log = logging.getLogger(__name__)

SIGNED_OUT = 4401  # close codes from 4000 are an application's own
NOT_ALLOWED = 4403


class ChatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """One reader's connection. It begins one turn at a time, or follows one that was begun on another."""

    turn: LiveTurn | None = None
    following: asyncio.Task[None] | None = None
    followed: UUID | None = None
    listening: asyncio.Task[None] | None = None
    visitor: Visitor | None = None
    languages: Sequence[str] = ()
    interface_language = "en"
    closed = False

    async def connect(self) -> None:
        self.visitor = await in_thread(visitor_of, self.scope)
        if self.visitor is None:
            await self.close(code=NOT_ALLOWED)
            return
        self.languages = languages_of(self.scope) if settings.LOCALES else ()
        self.interface_language = connection_language(self.scope)
        group = session_group(self.visitor.session_key)
        self.listening = asyncio.create_task(listen(self.channel_layer, self.channel_name, group))
        await self.accept()
        SOCKETS.inc()

    async def disconnect(self, code: int) -> None:
        self.closed = True
        if self.listening:
            self.listening.cancel()
            SOCKETS.dec()
        if self.following:
            self.following.cancel()
        if self.turn:
            self.turn.leave()

    async def session_ended(self, message: Mapping[str, str]) -> None:
        """Close the socket: the reader has signed out elsewhere."""
        await self._sign_out()

    async def _sign_out(self) -> None:
        self.closed = True
        await self.close(code=SIGNED_OUT)
        await self._cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            message = parse_message(text_data or "", max_question=settings.QUESTION_MAX_CHARS)
        except BadMessage as error:
            await self._send(Fault("bad_message", str(error), retryable=False))
            return
        if isinstance(message, StopMessage):
            await self._cancel()
            return
        try:
            await self._handle_message(message)
        except DatabaseFault:
            log.exception("a message could not be handled")
            await self._send(Fault("unavailable", UNAVAILABLE, retryable=True))

    async def _handle_message(self, message: AskMessage | ResumeMessage) -> None:
        now = await in_thread(visitor_of, self.scope)  # the session may have ended since the last message
        if now is None or self.visitor is None or now.user_id != self.visitor.user_id:
            await self._sign_out()
            return
        match message:
            case AskMessage():
                await self._ask(message, now, await in_thread(now.viewer, message.scope))
            case ResumeMessage():
                await self._resume(message, await in_thread(now.viewer))

    async def _ask(self, ask: AskMessage, visitor: Visitor, viewer: Viewer) -> None:
        if self._is_busy():
            await self._send(Fault("busy", "One question at a time: stop the current one first.", retryable=True))
            return
        if self.turn:
            await self.turn.stop()  # its answer stands; only its next questions are given up
        asked = Question(ask.question, viewer, ask.mode, ask.locale, as_typed=ask.as_typed)
        address = address_of(self.scope)
        with contextlib.ExitStack() as held:
            try:
                await in_thread(question_count, reader=visitor.counted_as, address=address)
                held.enter_context(admission_control().admitted(reader=visitor.session_key, address=address))
                row, question = await in_thread(services.turn_start, question=asked, conversation_id=ask.conversation)
            except TooManyTurns as error:
                await self._send(Fault("busy", str(error), retryable=True))
                return
            except services.ConversationNotFound:
                await self._send(Fault("not_found", "This conversation does not exist.", retryable=False))
                return
            place = held.pop_all()
            self.turn = LiveTurn(self.channel_layer, row.pk)
            self.turn.begin(self._run(self.turn, row, question, place), over=place.close)

    async def _run(self, live: LiveTurn, row: Turn, question: Question, place: contextlib.ExitStack) -> None:
        """Answer, give up the place, then add what follows the answer."""
        events = EventLog(row, self.send_json, live.cancel)
        turn = begin_current(row, question, events)
        with place:
            answered = await run_admitted_turn(row, turn, events)
        live.answered = True
        if answered:
            await add_after_answer(turn, answered, admission_control().is_full)

    def _is_busy(self) -> bool:
        return self.followed is not None or bool(self.turn and self.turn.is_running and not self.turn.answered)

    async def _resume(self, resume: ResumeMessage, viewer: Viewer) -> None:
        """Send missed events again; of a turn that still runs, also those to come."""
        turn = await in_thread(turn_of, resume.turn, viewer)
        if turn is None:
            await self._send(Fault("not_found", "This answer is no longer kept; please ask again.", retryable=False))
        elif turn.outcome:
            async for event in rest_of_turn(turn, resume.after, viewer):
                await self.send_json(event)
        else:
            if self.following:
                self.following.cancel()
            self.followed = turn.pk
            self.following = asyncio.create_task(self._follow(turn, resume.after, viewer))

    async def _follow(self, turn: Turn, after: int, viewer: Viewer) -> None:
        """Send the events of a turn that another connection began.

        The reader may ask again once `followed` is None: the answer stands, and only next questions are to come.
        """
        async for event in follow_turn(self.channel_layer, turn, after, viewer):
            if event["type"] == "done":
                self.followed = None
            await self.send_json(event)
        self.followed = None

    async def _cancel(self) -> None:
        """Stop what this connection runs or follows."""
        if self.turn:
            await self.turn.stop()
        if self.followed:
            await stop_where_it_runs(self.channel_layer, self.followed)

    async def _send(self, event: Event) -> None:
        await self.send_json({**payload(event), "turn": None, "seq": 0})

    async def send_json(self, values: dict[str, Any]) -> None:
        """Send values as JSON, in the reader's language. A closed connection loses nothing: the event is stored."""
        if self.languages:
            values = await in_thread(with_translated_titles, values, self.languages)
        with override(self.interface_language):
            values = with_local_messages(values)
        if self.closed:
            return
        try:
            await self.send(text_data=json.dumps(values))
        except Exception as error:  # noqa: BLE001 - each server has its own for a connection that has just closed
            self.closed = True
            log.info("an event was not sent, because the connection is closed: %s", type(error).__name__)
