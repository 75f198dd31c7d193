"""Records a turn: its end, its citations and its audit row, in one transaction."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from audit.domain.gaps import gap_of
from audit.domain.redaction import Redaction, redacted
from audit.gaps import is_noted
from audit.pseudonyms import asker_of
from audit.services import turn_audit_add_calls, turn_audit_record
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.answer import AnswerCitation
from chat.answering.domain.events import payload as as_payload
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.response import TurnResponse
from chat.answering.domain.viewer import Viewer
from chat.answering.payloads import known_trace, plan_trace, trace_of
from chat.answering.turn_result import TurnResult, response_of
from chat.conversations.services import EVENTS_KEPT
from chat.models import Citation, Turn, TurnEvent
from lectorium import langfuse_tracing
from lectorium.metrics import turn_counted
from lectorium.threads import in_thread

TRIES = 5
REPORTED = {"mode", "outcome", "reason", "confidence", "complete", "timings_ms", "versions"}


def turn_record(turn: CurrentTurn, result: TurnResult) -> TurnResponse:
    """Write the turn's end, its citations and its audit in one transaction, and return the response as recorded.

    A turn that was ended elsewhere in the meantime keeps that end.
    """
    trace = turn_trace(result)
    response = response_of(turn, result)
    noted = is_noted(gap_of(response.as_dict(), trace))  # the gap is written in the transaction that records this
    response = response.model_copy(update={"noted": noted})
    if not _record(turn, response, result.shown.citations, recorded_trace(turn, result, trace)):
        return response.model_copy(update={"noted": False})
    turn_counted(outcome=response.outcome, reason=result.reason, mode=response.mode, timings_ms=response.timings_ms)
    report_turn(turn, response)
    return response


async def record_turn(turn: CurrentTurn, result: TurnResult) -> TurnResponse:
    """`turn_record` on a thread: the way a turn ends on the page, over the API and at the command line."""
    return await in_thread(turn_record, turn, result)


async def respond_only(turn: CurrentTurn, result: TurnResult) -> TurnResponse:
    """Record nothing: the way a question ends that is only tried or measured."""
    return response_of(turn, result)


def turn_trace(result: TurnResult) -> dict[str, Any]:
    """Everything that decided the turn: the last look with those before it, then what each later stage added."""
    looks = [trace_of(look.plan, look.pool, look.evidence) for look in result.looks]
    shown = result.shown
    return {
        **({"cached": {"turn": result.cached}} if result.cached else {}),
        **(looks[-1] if looks else {}),
        **({"looks": looks[:-1]} if looks[:-1] else {}),
        **known_trace(result.known),
        **({"outline": result.outline} if result.outline else {}),
        **({"writing": [draft.as_dict() for draft in shown.drafts]} if shown.drafts else {}),
        **({"elsewhere": list(shown.lookups)} if shown.lookups else {}),
        **result.fault,
    }


def recorded_trace(turn: CurrentTurn, result: TurnResult, trace: Mapping[str, Any]) -> dict[str, Any]:
    """The trace with the calls of models, and the plan of a turn that never searched."""
    plan = {"plan": plan_trace(result.plan)} if result.plan else {}
    return {**plan, "served": [call.as_dict() for call in turn.calls], **trace}


def record_later_calls(turn: CurrentTurn) -> None:
    """Add the calls made after the answer was recorded, of its title and next questions, to its audit."""
    served = [call.as_dict() for call in turn.calls]
    turn_audit_add_calls(conversation_id=turn.conversation_id, turn_id=turn.turn_id, served=served)


def _record(
    turn: CurrentTurn, response: TurnResponse, citations: tuple[AnswerCitation, ...], trace: Mapping[str, Any]
) -> bool:
    """Write everything; False where the turn had ended already."""
    viewer, values = turn.question.viewer, response.as_dict()
    with transaction.atomic():
        ended = _end(
            turn.conversation_id,
            turn.turn_id,
            outcome=response.outcome,
            reason=response.reason or "",
            answer=response.answer,
            standalone_question=response.standalone_question,
            response=values,
        )
        if ended:
            Citation.objects.bulk_create(_row(turn, cited) for cited in citations)
            turn_audit_record(
                conversation_id=turn.conversation_id,
                turn_id=turn.turn_id,
                asker=asker_of(viewer.user_id, viewer.visitor),
                response=values,
                trace=trace,
            )
    return ended


def report_turn(turn: CurrentTurn, response: TurnResponse) -> None:
    """Report a recorded turn to Langfuse, where it is set up; its text as LECTORIUM_REDACT lets it be kept."""
    if settings.LANGFUSE is None:
        return
    how, viewer = Redaction(settings.REDACT), turn.question.viewer
    langfuse_tracing.send_turn(
        langfuse_tracing.ObservedTurn(
            turn=turn.turn_id,
            conversation=turn.conversation_id,
            asker=asker_of(viewer.user_id, viewer.visitor),
            question=redacted(response.question, how),
            answer=redacted(response.answer, how),
            began=turn.clock.began,
            seconds=response.timings_ms["total"] / 1000,
            facts=response.model_dump(mode="json", include=REPORTED)
            | {"warnings": [warning.type for warning in response.warnings]},
            calls=tuple(turn.calls),
        )
    )


def turn_interrupt(row: Turn) -> bool:
    """Record a running turn as interrupted, and store the event that ends it; False where it had ended already.

    Its connection is gone, or its process was killed. What that process knew is lost; the audit keeps what the reader
    was sent, as far as it is still stored.
    """
    for left in reversed(range(TRIES)):
        try:
            return not row.outcome and _interrupt(row)
        except IntegrityError:  # its process is alive, and stored one more event meanwhile
            if not left:
                raise
    return False


@transaction.atomic
def _interrupt(row: Turn) -> bool:
    viewer = Viewer(user_id=row.conversation.owner_id, visitor=row.conversation.visitor)
    question = Question(row.question, viewer, Mode(row.mode), row.locale)
    turn = CurrentTurn(row.pk, row.conversation_id, question, EventSink())
    result = TurnResult().stopped(TurnResult().shown, ())
    response = response_of(turn, result).model_copy(update={"timings_ms": {}})
    events = TurnEvent.objects.filter(conversation_id=row.conversation_id, turn=row).order_by("seq")
    sent = list(events.values_list("seq", "payload"))
    trace = {"lost": True, "sent": [event for _, event in sent]}
    if not _record(turn, response, (), recorded_trace(turn, result, trace)):
        return False
    seq = sent[-1][0] + 1 if sent else 1
    last = {**as_payload(response.done), "turn": str(row.pk), "seq": seq}
    TurnEvent.objects.create(conversation_id=row.conversation_id, turn=row, seq=seq, payload=last)
    return True


def turns_close_abandoned() -> int:
    """Mark turns that have run for over an hour as interrupted: their process was killed and nobody came back.

    A turn that begins over an hour from now was begun while the clock ran ahead, and was left behind too. Now is the
    database's time, so that a worker whose clock is wrong closes none that still runs.
    """
    began = Q(started_at__lt=Now() - EVENTS_KEPT) | Q(started_at__gt=Now() + EVENTS_KEPT)
    abandoned = Turn.objects.filter(began, outcome="").select_related("conversation")
    return sum(turn_interrupt(row) for row in abandoned)


def _end(conversation_id: UUID, turn_id: UUID, **values: Any) -> bool:
    running = Turn.objects.filter(conversation_id=conversation_id, pk=turn_id, outcome="")
    return bool(running.update(finished_at=timezone.now(), **values))


def _row(turn: CurrentTurn, cited: AnswerCitation) -> Citation:
    return Citation(
        conversation_id=turn.conversation_id,
        turn_id=turn.turn_id,
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
