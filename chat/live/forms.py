"""A question that is posted as a form, by a page without JavaScript or by the frame in another site."""

import asyncio
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings

from chat.answering.domain.query.checks import BadMessage
from chat.conversations import selectors, services
from chat.live.admission import TooManyTurns
from chat.live.connection import ConnectedReader, ReaderConnection
from chat.live.protocol import AskMessage, check_ask
from chat.live.visitors import Visitor
from chat.models import Turn
from lectorium.threads import in_thread


class QuestionRefused(Exception):
    """The question of a form is not taken; the text tells its reader why.

    status: 400 for a bad question, 404 for a conversation that is not the reader's, 429 over a budget.
    seconds: after which to ask again, 0 where waiting does not help.
    """

    def __init__(self, message: str, status: int, seconds: int = 0) -> None:
        super().__init__(message)
        self.status, self.seconds = status, seconds


async def answer_form(
    reader: ConnectedReader,
    fields: Mapping[str, Any],
    *,
    turn_id: UUID | None = None,
    seconds: float | None = None,
    has_grace: bool = False,
) -> UUID:
    """Ask what a form holds, and return its conversation once the answer stands or the seconds are over.

    fields: as in the socket's protocol. turn_id: of the form, which is answered once however often it is sent.
    has_grace: whether a client that disconnects has the grace period to come back; otherwise its turn stops at once.
    Raises QuestionRefused.
    """
    try:
        ask = check_ask(fields, settings.QUESTION_MAX_CHARS)
        return await _conversation_of_answer(reader, ask, turn_id, seconds, has_grace=has_grace)
    except BadMessage as error:
        raise QuestionRefused(str(error), 400) from error
    except services.ConversationNotFound as error:
        raise QuestionRefused("This conversation does not exist.", 404) from error
    except TooManyTurns as error:
        raise QuestionRefused(str(error), 429, error.seconds) from error


async def _conversation_of_answer(
    reader: ConnectedReader, ask: AskMessage, turn_id: UUID | None, seconds: float | None, *, has_grace: bool
) -> UUID:
    answered = asyncio.Event()

    async def look_for_end(event: dict[str, Any]) -> None:
        if event["type"] == "done":
            answered.set()

    async def nothing_is_open() -> None:
        pass

    connection = ReaderConnection(reader, look_for_end, nothing_is_open)
    try:
        turn = await connection.begin(ask, reader.visitor, turn_id)
    except services.TurnExists as error:
        begun = await in_thread(_own_turn, UUID(str(error)), reader.visitor)
        if begun and begun.question == ask.question:
            return begun.conversation_id
        turn = await connection.begin(ask, reader.visitor)  # another question, in a form that the browser has kept
    try:
        async with asyncio.timeout(seconds):
            await answered.wait()
    except TimeoutError:
        pass  # the page of the conversation goes on waiting
    except asyncio.CancelledError:
        connection.leave(has_grace=has_grace)
        raise
    return turn.conversation_id


def _own_turn(turn_id: UUID, visitor: Visitor) -> Turn | None:
    return selectors.turn_of(turn_id, visitor.viewer())
