"""The websocket: a turn runs as a task, so that stop and disconnect are received while it works."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import Error as DatabaseFault

from chat.answering import turn_records
from chat.answering.domain.events import Event, Fault, payload
from chat.answering.domain.query.checks import BadMessage
from chat.answering.domain.question import Question
from chat.answering.domain.viewer import Viewer
from chat.conversations import services
from chat.conversations.selectors import events_missed, turn_of
from chat.live.admission import TooManyTurns, admission_control
from chat.live.event_log import EventLog, ending
from chat.live.protocol import AskMessage, ResumeMessage, StopMessage, parse_message
from chat.live.stopping import listen, session_group, stop_where_it_runs, stoppable
from chat.live.turn_runner import UNAVAILABLE, begin_current, run_admitted_turn
from chat.live.visitors import Visitor, address_of, visitor_of
from chat.models import Turn
from lectorium.metrics import SOCKETS
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

SIGNED_OUT = 4401  # close codes from 4000 are an application's own
NOT_ALLOWED = 4403
STOPPED_IN, LOOK = 2.0, 0.05  # seconds: how long a turn in another process has to stop, and how often to check


class ChatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """One reader's connection; it runs one turn at a time."""

    task: asyncio.Task[None] | None = None
    turn_id: UUID | None = None
    listening: asyncio.Task[None] | None = None
    visitor: Visitor | None = None
    closed = False

    async def connect(self) -> None:
        self.visitor = await in_thread(visitor_of, self.scope)
        if self.visitor is None:
            await self.close(code=NOT_ALLOWED)
            return
        group = session_group(self.visitor.session_key)
        self.listening = asyncio.create_task(listen(self.channel_layer, self.channel_name, group))
        await self.accept()
        SOCKETS.inc()

    async def disconnect(self, code: int) -> None:
        self.closed = True
        if self.listening:
            self.listening.cancel()
            SOCKETS.dec()
        await self._cancel()

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
            await self._tell(Fault("bad_message", str(error), retryable=False))
            return
        if isinstance(message, StopMessage):
            await self._cancel()
            return
        try:
            await self._hear(message)
        except DatabaseFault:
            log.exception("a message could not be handled")
            await self._tell(Fault("unavailable", UNAVAILABLE, retryable=True))

    async def _hear(self, message: AskMessage | ResumeMessage) -> None:
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
        if self.task and not self.task.done():
            await self._tell(Fault("busy", "One question at a time: stop the current one first.", retryable=True))
            return
        asked = Question(ask.question, viewer, ask.mode, ask.locale, as_typed=ask.as_typed)
        admitted = admission_control().admitted(reader=visitor.session_key, address=address_of(self.scope))
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(admitted)
                turn, question = await in_thread(services.turn_start, question=asked, conversation_id=ask.conversation)
            except TooManyTurns as error:
                await self._tell(Fault("busy", str(error), retryable=True))
                return
            except services.ConversationNotFound:
                await self._tell(Fault("not_found", "This conversation does not exist.", retryable=False))
                return
            self.turn_id = turn.pk
            self.task = asyncio.create_task(self._run(turn, question))
            place = held.pop_all()
            self.task.add_done_callback(lambda _: place.close())

    async def _run(self, turn: Turn, question: Question) -> None:
        events = EventLog(turn, self.send_json, self.stop)
        listening = stoppable(self.channel_layer, self.channel_name, turn.pk)
        await run_admitted_turn(turn, begin_current(turn, question, events), events, listening)

    async def _resume(self, resume: ResumeMessage, viewer: Viewer) -> None:
        """Send missed events again. A turn that still runs has lost its connection, so it ends as interrupted."""
        turn = await in_thread(turn_of, resume.turn, viewer)
        if turn is None:
            await self._tell(Fault("not_found", "This answer is no longer kept; please ask again.", retryable=False))
            return
        if not turn.outcome:
            await self._end(turn)
        events = await in_thread(events_missed, turn, resume.after, viewer)
        for event in events:
            await self.send_json(event)
        if not events or events[-1]["type"] != "done":
            await in_thread(turn.refresh_from_db)
            seq = events[-1]["seq"] if events else resume.after
            await self.send_json({**ending(turn), "turn": str(turn.pk), "seq": seq + 1})

    async def _end(self, turn: Turn) -> None:
        """Ask the process that runs the turn to stop and record it; end it here if none does so in time."""
        if await stop_where_it_runs(self.channel_layer, turn.pk):
            for _ in range(round(STOPPED_IN / LOOK)):
                await in_thread(turn.refresh_from_db)
                if turn.outcome:
                    return
                await asyncio.sleep(LOOK)
        await in_thread(turn_records.turn_interrupt, turn)

    async def turn_stop(self, message: Mapping[str, str]) -> None:
        """Stop the turn whose reader reconnected on another connection."""
        if message["turn"] == str(self.turn_id):
            await self._cancel()

    async def _cancel(self) -> None:
        task = self.task
        if task and not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def stop(self) -> None:
        """Cancel the running turn without waiting for it: the turn itself may be the caller."""
        if self.task:
            self.task.cancel()

    async def _tell(self, event: Event) -> None:
        await self.send_json({**payload(event), "turn": None, "seq": 0})

    async def send_json(self, values: dict[str, Any]) -> None:
        """Send values as JSON. A closed connection loses nothing: the event is stored."""
        if not self.closed:
            await self.send(text_data=json.dumps(values))
