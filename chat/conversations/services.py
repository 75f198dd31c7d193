"""Writes conversations: opens turns and stores their events. A turn's end is written by `turn_records`."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
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
    """No such conversation for this viewer. A missing one and another reader's look the same."""


class TurnExists(Exception):
    """A turn of this id was begun before: the same form was sent twice."""


class TurnEnded(Exception):
    """Another process ended the turn, and its last event is stored."""


@transaction.atomic
def turn_start(
    *, question: Question, conversation_id: UUID | None, turn_id: UUID | None = None
) -> tuple[Turn, Question]:
    """Open a turn, in a new conversation where none is named; return it, and the question with its thread.

    turn_id: of a form, so that a form that is sent twice begins one turn. Raises ConversationNotFound, TurnExists.
    """
    conversation = _conversation(question.viewer, conversation_id, title=question.text[:TITLE_CHARS])
    threaded = replace(question, history=_history(conversation, question.viewer))
    turn = Turn(conversation=conversation, question=question.text, mode=question.mode.value, locale=question.locale)
    if turn_id:
        turn.pk = turn_id
    try:
        turn.save(force_insert=True)
    except IntegrityError as error:
        raise TurnExists(str(turn_id)) from error
    if not Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now()):
        raise ConversationNotFound(str(conversation.pk))  # it was deleted meanwhile; the turn is undone
    return turn, threaded


def conversation_rename(*, conversation_id: UUID, question: str, title: str) -> bool:
    """Replace the title that a conversation has from its first question; False where its reader has named it."""
    unnamed = Conversation.objects.filter(pk=conversation_id, title=question[:TITLE_CHARS])
    return bool(unnamed.update(title=title))


def conversation_retitle(*, viewer: Viewer, conversation_id: UUID, title: str) -> None:
    """Rename a conversation of the viewer's own. Raises ConversationNotFound."""
    if not Conversation.objects.owned_by(viewer).filter(pk=conversation_id).update(title=title):
        raise ConversationNotFound(str(conversation_id))


def conversation_delete(*, viewer: Viewer, conversation_id: UUID) -> None:
    """Hide a conversation everywhere; `deleted_conversations_expire` removes it later. Raises ConversationNotFound."""
    own = Conversation.objects.owned_by(viewer).filter(pk=conversation_id)
    if not own.update(deleted_at=timezone.now()):
        raise ConversationNotFound(str(conversation_id))


def conversation_restore(*, viewer: Viewer, conversation_id: UUID) -> None:
    """Undo a deletion. Raises ConversationNotFound where there is nothing left to restore."""
    if not Conversation.objects.deleted_by(viewer).filter(pk=conversation_id).update(deleted_at=None):
        raise ConversationNotFound(str(conversation_id))


def event_store(*, conversation_id: UUID, turn_id: UUID, seq: int, payload: Mapping[str, Any]) -> None:
    """Store an event, so that a dropped connection can ask for it again. Raises TurnEnded after the turn's last one.

    The reader waits for each event, so its commit does not wait for the disk: a crash of the database server may lose
    the last half second of events, never a recorded answer. Suggested questions are also stored with their turn,
    because events are deleted after an hour.
    """
    try:
        with transaction.atomic():
            if payload.get("type") == "suggestions":
                turn = Turn.objects.filter(conversation_id=conversation_id, pk=turn_id)
                turn.update(suggestions=list(payload["items"]))
            else:
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL synchronous_commit = off")
            TurnEvent.objects.create(conversation_id=conversation_id, turn_id=turn_id, seq=seq, payload=payload)
    except IntegrityError as error:  # only a process that ends another one's turn uses a number that is not its own
        raise TurnEnded(str(turn_id)) from error


def events_forget() -> int:
    """Delete events older than an hour; return how many. The answer stays with its turn."""
    deleted, _ = TurnEvent.objects.filter(created_at__lt=Now() - EVENTS_KEPT).delete()
    return deleted


def _conversation(viewer: Viewer, conversation_id: UUID | None, *, title: str) -> Conversation:
    if conversation_id is None:
        return Conversation.objects.create(owner_id=viewer.user_id, visitor=viewer.visitor, title=title)
    conversation = Conversation.objects.owned_by(viewer).filter(pk=conversation_id).first()
    if conversation is None:
        raise ConversationNotFound(str(conversation_id))
    return conversation


def history_before(turn: Turn, viewer: Viewer) -> tuple[HistoryMessage, ...]:
    """The thread that a turn followed, as its reader may see it today."""
    return _history(turn.conversation, viewer, turn.started_at)


def _history(conversation: Conversation, viewer: Viewer, before: datetime | None = None) -> tuple[HistoryMessage, ...]:
    # As they stand by themselves: the third of "Who was he?", "And where?", "And why?" must not lose the first.
    ended = conversation.turns.exclude(outcome="")
    ended = ended.filter(started_at__lt=before) if before else ended
    turns = list(ended.order_by("-started_at")[:HISTORY_TURNS])[::-1]
    answered = [turn.response for turn in turns]
    return tuple(
        message
        for turn, response in zip(turns, responses_for(answered, visible_quotes(viewer, answered)), strict=True)
        for message in messages_of(response, turn.question, turn.answer)
    )


def messages_of(response: Mapping[str, Any], question: str, answer: str = "") -> tuple[HistoryMessage, HistoryMessage]:
    """A turn's response as messages of its thread. question, answer: of a response that lacks them."""
    return (
        HistoryMessage("user", response.get("standalone_question") or question),
        HistoryMessage("assistant", response.get("answer", answer), _cited(response)),
    )


def _cited(response: Mapping[str, Any]) -> tuple[CitedPlace, ...]:
    """The quotes of a response that its reader may still see."""
    quotes = {citation["n"]: citation["quote"] for citation in response.get("citations", ())}
    leading = [sentence for sentence in response.get("sentences", ()) if sentence.get("lead")]
    leads = {n: sentence["text"] for sentence in leading for n in sentence.get("citations", ())}
    return tuple(
        CitedPlace(
            UUID(kept["chunk"]), (kept["char_start"], kept["char_end"]), quotes[kept["n"]], leads.get(kept["n"], "")
        )
        for kept in response.get("references", ())
        if kept["n"] in quotes
    )
