"""A question that came again with its key: the turn that the first request began, as its owner may see it now."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer
from django.utils.translation import gettext_noop as _
from rest_framework.exceptions import NotFound

from chat.answering.domain.response import AnsweredResponse
from chat.answering.domain.viewer import Viewer
from chat.api.errors import TurnFailed
from chat.api.idempotency import HEADER
from chat.conversations.domain.masking import response_for
from chat.conversations.selectors import stored_response, turn_of
from chat.conversations.visibility import visible_quotes
from chat.live.follow import follow_turn, rest_of_turn
from chat.models import Turn
from lectorium.threads import in_thread

REPLAYED = "Idempotency-Replayed"
NO_ANSWER = _("The turn of this Idempotency-Key ended without an answer. Ask again with a new key.")
ENDED_BADLY = (Turn.Outcome.INTERRUPTED, Turn.Outcome.FAILED)


class TurnDeleted(NotFound):
    default_detail = _("The turn of this Idempotency-Key was deleted. Ask again with a new key.")
    where = HEADER


def events_again(turn: Turn, viewer: Viewer) -> AsyncIterator[dict[str, Any]]:
    """The events of a turn from its first on. Of a turn that ended over an hour ago only the last is kept."""
    return rest_of_turn(turn, 0, viewer) if turn.outcome else follow_turn(get_channel_layer(), turn, 0, viewer)


async def answer_again(turn: Turn, viewer: Viewer) -> AnsweredResponse:
    """The response of a turn, once it has ended. Raises TurnFailed where it has none."""
    if not turn.outcome:
        async for event in events_again(turn, viewer):
            if event["type"] == "done":
                break
    return await in_thread(_answer, turn.pk, viewer)


def begun_turn(turn_id: UUID, viewer: Viewer) -> Turn:
    """The turn of a key. Raises TurnDeleted."""
    turn = turn_of(turn_id, viewer)
    if turn is None:
        raise TurnDeleted
    return turn


def _answer(turn_id: UUID, viewer: Viewer) -> AnsweredResponse:
    turn = begun_turn(turn_id, viewer)
    if turn.outcome in ENDED_BADLY:
        raise TurnFailed("interrupted", NO_ANSWER, retryable=True)
    shown = response_for(turn.response, visible_quotes(viewer, [turn.response]))
    response = stored_response(turn, shown).model_dump()
    return AnsweredResponse(**response, conversation=turn.conversation_id)
