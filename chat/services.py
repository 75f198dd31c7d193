"""Writing conversations: a turn begins, its events are kept, it ends once and is recorded whole."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.domain.gaps import gap_of
from audit.gaps import is_noted
from audit.pseudonyms import asker_of
from audit.services import turn_audit_record
from chat.domain.events import payload as as_payload
from chat.domain.masking import responses_for
from chat.domain.question import Message, Mode, Question
from chat.domain.viewer import Viewer
from chat.journal import Journal, unheard
from chat.models import Citation, Conversation, Turn, TurnEvent
from chat.observed import tell_of
from chat.presenting import plan_trace
from chat.sight import sight
from lectorium.metrics import turn_counted

HISTORY_TURNS = 3
TITLE_CHARS = 80
EVENTS_KEPT = timedelta(hours=1)
TRIES = 5


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


def turn_record(journal: Journal) -> bool:
    """Write the turn's end, its citations and its audit in one transaction; False where it had ended already."""
    response = journal.response()
    noted = is_noted(gap_of(response, journal.trace))  # it joins in the transaction that says so
    recorded = _record(journal, response | {"noted": noted}, journal.trace)
    journal.noted = noted and recorded
    if recorded:
        facts = ("outcome", "mode", "timings_ms")
        turn_counted(reason=journal.reason, **{name: response[name] for name in facts})
        tell_of(journal)
    return recorded


def _record(journal: Journal, response: Mapping[str, Any], trace: Mapping[str, Any]) -> bool:
    plan = {"plan": plan_trace(journal.plan)} if journal.plan else {}
    viewer = journal.question.viewer
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
                asker=asker_of(viewer.user_id, viewer.visitor),
                response=response,
                trace={**plan, "served": [call.as_dict() for call in journal.calls], **trace},
            )
    return ended


def turn_interrupt(turn: Turn) -> bool:
    """Record a running turn as interrupted, and keep the event that ends it; False where it had ended already.

    Its connection is gone, or its process was killed. What that process knew is lost; the audit keeps what the reader
    was sent, as far as it is still kept.
    """
    for left in reversed(range(TRIES)):
        try:
            return not turn.outcome and _interrupt(turn)
        except IntegrityError:  # its process lives, and said one thing more meanwhile
            if not left:
                raise
    return False


@transaction.atomic
def _interrupt(turn: Turn) -> bool:
    viewer = Viewer(user_id=turn.conversation.owner_id, visitor=turn.conversation.visitor)
    question = Question(turn.question, viewer, Mode(turn.mode), turn.locale)
    journal = Journal(turn.pk, turn.conversation_id, question, unheard)
    journal.conclude(Turn.Outcome.INTERRUPTED, message="Stopped.", complete=False)
    sent = TurnEvent.objects.filter(conversation_id=turn.conversation_id, turn=turn).order_by("seq")
    said = list(sent.values_list("seq", "payload"))
    trace = {"lost": True, "sent": [event for _, event in said]}
    if not _record(journal, {**journal.response(), "timings_ms": {}}, trace):
        return False
    seq = said[-1][0] + 1 if said else 1
    last = {**as_payload(replace(journal.done(), timings_ms={})), "turn": str(turn.pk), "seq": seq}
    TurnEvent.objects.create(conversation_id=turn.conversation_id, turn=turn, seq=seq, payload=last)
    return True


def events_forget() -> int:
    """Delete events older than an hour; return how many. What was answered stays with its turn."""
    deleted, _ = TurnEvent.objects.filter(created_at__lt=timezone.now() - EVENTS_KEPT).delete()
    return deleted


def turns_close_abandoned() -> int:
    """Mark turns that have run for over an hour as interrupted: their process was killed and nobody came back."""
    abandoned = Turn.objects.filter(outcome="", started_at__lt=timezone.now() - EVENTS_KEPT)
    abandoned = abandoned.select_related("conversation")
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


def _history(conversation: Conversation, viewer: Viewer) -> tuple[Message, ...]:
    # As they stand by themselves: the third of "Who was he?", "And where?", "And why?" must not lose the first.
    turns = list(conversation.turns.exclude(outcome="").order_by("-started_at")[:HISTORY_TURNS])[::-1]
    answered = [turn.response for turn in turns]
    return tuple(
        message
        for turn, response in zip(turns, responses_for(answered, sight(viewer, answered)), strict=True)
        for message in (
            Message("user", response.get("standalone_question") or turn.question),
            Message("assistant", response.get("answer", turn.answer)),
        )
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
