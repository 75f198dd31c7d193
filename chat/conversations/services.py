"""Writing conversations: a turn begins, its events are kept, it ends once and is recorded whole."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from chat.answering.domain.question import CitedPlace, HistoryMessage, Question
from chat.answering.domain.viewer import Viewer
from chat.conversations.domain.masking import responses_for
from chat.conversations.visibility import visible_quotes
from chat.models import Conversation, Turn, TurnEvent

HISTORY_TURNS = 3

TITLE_CHARS = 80

EVENTS_KEPT = timedelta(hours=1)


class ConversationNotFound(LookupError):
    """No such conversation for this viewer; the same for one that does not exist and one that is another's."""


class TurnEnded(Exception):
    """The turn was ended by another process than the one that runs it, and its last event is kept."""


@transaction.atomic
def turn_start(*, question: Question, conversation_id: UUID | None) -> tuple[Turn, Question]:
    """Open a turn, in a new conversation where none is named; return it and the question with its thread."""
    conversation = _conversation(question.viewer, conversation_id, title=question.text[:TITLE_CHARS])
    threaded = Question(
        question.text, question.viewer, question.mode, question.locale, _history(conversation, question.viewer)
    )
    turn = Turn.objects.create(
        conversation=conversation, question=question.text, mode=question.mode.value, locale=question.locale
    )
    if not Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now()):
        raise ConversationNotFound(str(conversation.pk))  # it was deleted meanwhile; the turn is undone
    return turn, threaded


def conversation_rename(*, conversation_id: UUID, title: str) -> None:
    """Give a conversation another title."""
    Conversation.objects.filter(pk=conversation_id).update(title=title)


def event_store(*, conversation_id: UUID, turn_id: UUID, seq: int, payload: Mapping[str, Any]) -> None:
    """Keep an event so that a dropped connection can ask for it again; raises TurnEnded after the turn's last one."""
    try:
        with transaction.atomic():
            TurnEvent.objects.create(conversation_id=conversation_id, turn_id=turn_id, seq=seq, payload=payload)
    except IntegrityError as error:  # only who ends a turn from without takes a number that is not its own
        raise TurnEnded(str(turn_id)) from error


def events_forget() -> int:
    """Delete events older than an hour; return how many. What was answered stays with its turn."""
    deleted, _ = TurnEvent.objects.filter(created_at__lt=timezone.now() - EVENTS_KEPT).delete()
    return deleted


def _conversation(viewer: Viewer, conversation_id: UUID | None, *, title: str) -> Conversation:
    if conversation_id is None:
        return Conversation.objects.create(owner_id=viewer.user_id, visitor=viewer.visitor, title=title)
    conversation = Conversation.objects.owned_by(viewer).filter(pk=conversation_id).first()
    if conversation is None:
        raise ConversationNotFound(str(conversation_id))
    return conversation


def _history(conversation: Conversation, viewer: Viewer) -> tuple[HistoryMessage, ...]:
    # As they stand by themselves: the third of "Who was he?", "And where?", "And why?" must not lose the first.
    turns = list(conversation.turns.exclude(outcome="").order_by("-started_at")[:HISTORY_TURNS])[::-1]
    answered = [turn.response for turn in turns]
    return tuple(
        message
        for turn, response in zip(turns, responses_for(answered, visible_quotes(viewer, answered)), strict=True)
        for message in (
            HistoryMessage("user", response.get("standalone_question") or turn.question),
            HistoryMessage("assistant", response.get("answer", turn.answer), _cited(response)),
        )
    )


def _cited(response: Mapping[str, Any]) -> tuple[CitedPlace, ...]:
    """Return what a response quotes, as far as it was left to its reader."""
    quotes = {citation["n"]: citation["quote"] for citation in response.get("citations", ())}
    return tuple(
        CitedPlace(UUID(kept["chunk"]), (kept["char_start"], kept["char_end"]), quotes[kept["n"]])
        for kept in response.get("references", ())
        if kept["n"] in quotes
    )
