"""Records a turn: its end, its citations and its audit row, in one transaction."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.domain.gaps import gap_of
from audit.gaps import is_noted
from audit.pseudonyms import asker_of
from audit.services import turn_audit_record
from chat.answering.domain.events import payload as as_payload
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.journal import Journal, discard_event
from chat.answering.observability import report_turn
from chat.answering.payloads import plan_trace
from chat.conversations.services import EVENTS_KEPT
from chat.models import Citation, Turn, TurnEvent
from lectorium.metrics import turn_counted

TRIES = 5


def turn_record(journal: Journal) -> bool:
    """Write the turn's end, its citations and its audit in one transaction; False where it had ended already."""
    response = journal.response()
    noted = is_noted(gap_of(response, journal.trace))  # it joins in the transaction that says so
    recorded = _record(journal, response | {"noted": noted}, journal.trace)
    journal.noted = noted and recorded
    if recorded:
        facts = ("outcome", "mode", "timings_ms")
        turn_counted(reason=journal.reason, **{name: response[name] for name in facts})
        report_turn(journal)
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
    journal = Journal(turn.pk, turn.conversation_id, question, discard_event)
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


def turns_close_abandoned() -> int:
    """Mark turns that have run for over an hour as interrupted: their process was killed and nobody came back."""
    abandoned = Turn.objects.filter(outcome="", started_at__lt=timezone.now() - EVENTS_KEPT)
    abandoned = abandoned.select_related("conversation")
    return sum(turn_interrupt(turn) for turn in abandoned)


def _end(conversation_id: UUID, turn_id: UUID, **values: Any) -> bool:
    running = Turn.objects.filter(conversation_id=conversation_id, pk=turn_id, outcome="")
    return bool(running.update(finished_at=timezone.now(), **values))


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
