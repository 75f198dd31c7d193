"""A question that is asked in another site's frame, by a reader whom the form knows and no cookie."""

import asyncio
from secrets import token_urlsafe
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core import signing

from chat.answering.domain.question import Question
from chat.answering.domain.viewer import Viewer
from chat.conversations import services
from chat.conversations.viewers import viewer_of
from chat.live.admission import admission_control
from chat.live.budgets import question_count
from chat.live.event_log import EventLog
from chat.live.protocol import AskMessage
from chat.live.turn_runner import begin_current, run_admitted_turn
from lectorium.threads import in_thread

KEY_BYTES = 16
KEY_SECONDS = 24 * 3600  # how long a frame that stays open goes on with its conversation
_SALT = "chat.embed"


def new_key() -> str:
    return token_urlsafe(KEY_BYTES)


def signed_key(key: str) -> str:
    """The key as the form carries it."""
    return signing.dumps(key, salt=_SALT)


def key_of(signed: str) -> str:
    """The reader's key; a new one where it is missing, forged or too old."""
    try:
        return str(signing.loads(signed, salt=_SALT, max_age=KEY_SECONDS))
    except signing.BadSignature:
        return new_key()


def frame_viewer(key: str, scope: str | None) -> Viewer:
    """An anonymous reader, whoever has signed in to this site in the same browser. Raises BadScope."""
    return viewer_of(AnonymousUser(), f"embed {key}", scope)


async def answer_in_frame(ask: AskMessage, key: str, address: str) -> UUID:
    """Answer within the limits of an anonymous reader; return the conversation.

    A client that disconnects stops the turn. Raises BadScope, TooManyTurns, ConversationNotFound.
    """
    viewer = await in_thread(frame_viewer, key, ask.scope)
    asked = Question(ask.question, viewer, ask.mode, ask.locale, as_typed=ask.as_typed)
    counted_as = {"reader": f"embed {key}", "address": address}
    await in_thread(question_count, **counted_as)
    with admission_control().admitted(**counted_as):
        row, question = await in_thread(services.turn_start, question=asked, conversation_id=ask.conversation)
        running = asyncio.current_task()

        def stop() -> None:
            if running:
                running.cancel()

        events = EventLog(row, _discard_event, stop)
        await run_admitted_turn(row, begin_current(row, question, events), events)
    conversation: UUID = row.conversation_id
    return conversation


async def _discard_event(event: dict[str, Any]) -> None:
    """The frame shows the answer once it stands."""
