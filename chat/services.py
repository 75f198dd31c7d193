"""Writing conversations: a turn begins, its events are kept, it ends once and is recorded whole."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.services import turn_audit_record
from chat.domain.question import Message, Question
from chat.domain.viewer import Viewer
from chat.journal import Journal
from chat.models import Citation, Conversation, Turn, TurnEvent

HISTORY_TURNS = 3
TITLE_CHARS = 80
EVENTS_KEPT = timedelta(hours=1)


class ConversationNotFound(LookupError):
    """No such conversation for this viewer; the same for one that does not exist and one that is another's."""


@transaction.atomic
def turn_start(*, question: Question, conversation_id: UUID | None) -> tuple[Turn, Question]:
    """Open a turn, in a new conversation where none is named; return it and the question with its thread."""
    conversation = _conversation(question.viewer, conversation_id, title=question.text[:TITLE_CHARS])
    threaded = Question(question.text, question.viewer, question.mode, question.locale, _history(conversation))
    turn = Turn.objects.create(
        conversation=conversation, question=question.text, mode=question.mode.value, locale=question.locale
    )
    Conversation.objects.filter(pk=conversation.pk).update(updated_at=timezone.now())
    return turn, threaded


def conversation_rename(*, conversation_id: UUID, title: str) -> None:
    """Give a conversation another title."""
    Conversation.objects.filter(pk=conversation_id).update(title=title)


def event_store(*, conversation_id: UUID, turn_id: UUID, seq: int, payload: Mapping[str, Any]) -> None:
    """Keep an event so that a dropped connection can ask for it again."""
    TurnEvent.objects.create(conversation_id=conversation_id, turn_id=turn_id, seq=seq, payload=payload)


def turn_record(journal: Journal) -> bool:
    """Write the turn's end, its citations and its audit in one transaction; False where it had ended already."""
    response = journal.response()
    with transaction.atomic():
        ended = _end(
            journal.conversation_id,
            journal.turn_id,
            outcome=journal.outcome,
            reason=journal.reason,
            answer=response["answer"],
            standalone_question=response["standalone_question"],
            response=response,
        )
        if ended:
            Citation.objects.bulk_create(_citations(journal))
            turn_audit_record(
                conversation_id=journal.conversation_id,
                turn_id=journal.turn_id,
                response=response,
                trace=journal.trace,
            )
    return ended


def turn_interrupt(turn: Turn) -> bool:
    """Mark a running turn as interrupted: its connection is gone, or its process was killed."""
    return _end(
        turn.conversation_id,
        turn.pk,
        outcome=Turn.Outcome.INTERRUPTED,
        response={"question": turn.question, "outcome": "interrupted", "complete": False},
    )


def events_forget() -> int:
    """Delete events older than an hour; return how many. What was answered stays with its turn."""
    deleted, _ = TurnEvent.objects.filter(created_at__lt=timezone.now() - EVENTS_KEPT).delete()
    return deleted


def turns_close_abandoned() -> int:
    """Mark turns that have run for over an hour as interrupted: their process was killed and nobody came back."""
    abandoned = Turn.objects.filter(outcome="", started_at__lt=timezone.now() - EVENTS_KEPT)
    return sum(turn_interrupt(turn) for turn in abandoned)


def _end(conversation_id: UUID, turn_id: UUID, **values: Any) -> bool:
    running = Turn.objects.filter(conversation_id=conversation_id, pk=turn_id, outcome="")
    return bool(running.update(finished_at=timezone.now(), **values))


def _conversation(viewer: Viewer, conversation_id: UUID | None, *, title: str) -> Conversation:
    if conversation_id is None:
        return Conversation.objects.create(owner_id=viewer.user_id, visitor=viewer.visitor, title=title)
    conversation = Conversation.objects.owned_by(viewer).filter(pk=conversation_id).first()
    if conversation is None:
        raise ConversationNotFound(str(conversation_id))
    return conversation


def _history(conversation: Conversation) -> tuple[Message, ...]:
    turns = list(conversation.turns.exclude(outcome="").order_by("-started_at")[:HISTORY_TURNS])
    return tuple(
        message
        for turn in reversed(turns)
        for message in (Message("user", turn.question), Message("assistant", turn.answer))
    )


def _citations(journal: Journal) -> list[Citation]:
    return [
        Citation(
            conversation_id=journal.conversation_id,
            turn_id=journal.turn_id,
            n=cited.n,
            chunk_id=cited.chunk_id,
            chunk_hash=cited.chunk_hash,
            kind=cited.kind,
            address=cited.address,
            title=cited.title,
            quote=cited.quote,
            char_start=cited.char_start,
            char_end=cited.char_end,
            start=cited.start,
            end=cited.end,
            verdict=cited.verdict,
        )
        for cited in journal.citations
    ]
