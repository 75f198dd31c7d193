"""The websocket: a turn runs as a task, so that stop and disconnect are heard while it works."""

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from chat import services
from chat.domain.events import Done, Event, Fault, payload
from chat.domain.question import Question
from chat.domain.viewer import Viewer
from chat.journal import Journal
from chat.models import Turn
from chat.presenting import ending
from chat.protocol import Ask, BadMessage, Resume, Stop, parse_message
from chat.selectors import events_after, turn_of
from chat.stopping import stop_where_it_runs, stoppable
from chat.turn import conduct
from chat.visitors import Visitor, visitor_of
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

SIGNED_OUT = 4401  # close codes from 4000 are an application's own
NOT_ALLOWED = 4403
STOPPED_IN, LOOK = 2.0, 0.05  # seconds that a turn running elsewhere has to stop, and between two looks whether it has
_turnstiles: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


def turnstile() -> asyncio.Semaphore:
    """Return this process's limit on turns at once."""
    return _turnstiles.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(settings.TURNS_AT_ONCE))


class ChatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """One reader's connection; it runs one turn at a time."""

    task: asyncio.Task[None] | None = None
    turn_id: UUID | None = None
    visitor: Visitor | None = None
    closed = False

    async def connect(self) -> None:
        self.visitor = await in_thread(visitor_of, self.scope)
        if self.visitor is None:
            await self.close(code=NOT_ALLOWED)
            return
        await self.accept()

    async def disconnect(self, code: int) -> None:
        self.closed = True
        await self._cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            message = parse_message(text_data or "", max_question=settings.QUESTION_MAX_CHARS)
        except BadMessage as error:
            await self._tell(Fault("bad_message", str(error), retryable=False))
            return
        now = await in_thread(visitor_of, self.scope)  # the session may have ended since the last message
        if now is None or self.visitor is None or now.user_id != self.visitor.user_id:
            await self.close(code=SIGNED_OUT)
            return
        match message:
            case Ask():
                await self._ask(message, await in_thread(now.viewer, message.scope))
            case Stop():
                await self._cancel()
            case Resume():
                await self._resume(message, await in_thread(now.viewer))

    async def _ask(self, ask: Ask, viewer: Viewer) -> None:
        if self.task and not self.task.done():
            await self._tell(Fault("busy", "One question at a time: stop the current one first.", retryable=True))
            return
        asked = Question(ask.question, viewer, ask.mode, ask.locale)
        try:
            turn, question = await in_thread(services.turn_start, question=asked, conversation_id=ask.conversation)
        except services.ConversationNotFound:
            await self._tell(Fault("not_found", "This conversation does not exist.", retryable=False))
            return
        self.turn_id = turn.pk
        self.task = asyncio.create_task(self._run(turn, question))

    async def _run(self, turn: Turn, question: Question) -> None:
        events = EventLog(self, turn)
        journal = Journal(turn.pk, turn.conversation_id, question, events.add)

        async def record(finished: Journal) -> None:
            await in_thread(services.turn_record, finished)

        try:
            async with stoppable(self.channel_layer, self.channel_name, turn.pk):
                if turnstile().locked():
                    await journal.status("queue", "many questions at once: yours is waiting its turn")
                async with turnstile():
                    await conduct(journal, record)
        except asyncio.CancelledError:  # stopped before it began
            await in_thread(services.turn_interrupt, turn)
            await journal.say(Done(Turn.Outcome.INTERRUPTED, "", complete=False))

    async def _resume(self, resume: Resume, viewer: Viewer) -> None:
        """Send again what was missed. A turn still running has lost its connection, so it ends here as interrupted."""
        turn = await in_thread(turn_of, resume.turn, viewer)
        if turn is None:
            await self._tell(Fault("not_found", "This answer is no longer kept; please ask again.", retryable=False))
            return
        if not turn.outcome:
            await self._end(turn)
        events = await in_thread(events_after, turn, resume.after)
        for event in events:
            await self.send_json(event)
        if not events or events[-1]["type"] != "done":
            await in_thread(turn.refresh_from_db)
            seq = events[-1]["seq"] if events else resume.after
            await self.send_json({**ending(turn), "turn": str(turn.pk), "seq": seq + 1})

    async def _end(self, turn: Turn) -> None:
        """Have the process that runs the turn stop and record it; where none does so in time, end it here."""
        if await stop_where_it_runs(self.channel_layer, turn.pk):
            for _ in range(round(STOPPED_IN / LOOK)):
                await in_thread(turn.refresh_from_db)
                if turn.outcome:
                    return
                await asyncio.sleep(LOOK)
        await in_thread(services.turn_interrupt, turn)

    async def turn_stop(self, message: Mapping[str, str]) -> None:
        """Stop the turn that its reader has come back for on another connection."""
        if message["turn"] == str(self.turn_id):
            await self._cancel()

    async def _cancel(self) -> None:
        task = self.task
        if task and not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def stop(self) -> None:
        """Cancel the turn under way, and do not wait for it: it may be the one to ask."""
        if self.task:
            self.task.cancel()

    async def _tell(self, event: Event) -> None:
        await self.send_json({**payload(event), "turn": None, "seq": 0})

    async def send_json(self, values: dict[str, Any]) -> None:
        """Send values as JSON; a connection that has gone loses nothing, the event is kept."""
        if not self.closed:
            await self.send(text_data=json.dumps(values))


class EventLog:
    """Numbers a turn's events, keeps each for an hour, then sends it. A turn that was ended elsewhere stops here."""

    def __init__(self, consumer: ChatConsumer, turn: Turn) -> None:
        self._consumer = consumer
        self._turn = turn
        self._seq = 0
        self._over = False

    async def add(self, event: Event) -> None:
        if self._over:
            return
        self._seq += 1
        values = {**payload(event), "turn": str(self._turn.pk), "seq": self._seq}
        try:
            await in_thread(
                services.event_store,
                conversation_id=self._turn.conversation_id,
                turn_id=self._turn.pk,
                seq=self._seq,
                payload=values,
            )
        except services.TurnEnded:
            self._over = True
            for last in await in_thread(events_after, self._turn, self._seq - 1):
                await self._consumer.send_json(last)
            self._consumer.stop()
            return
        await self._consumer.send_json(values)
