"""Writes the audit: one row per turn, in the transaction that ends it, and the counts of deleted turns."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F

from audit.alerts.events import refusal_announce
from audit.domain.gaps import gap_of
from audit.domain.redaction import Redaction, redacted, redacted_trace, redacted_warnings
from audit.gaps import gap_join
from audit.models import DeletedTurns, Feedback, TurnAudit
from audit.rollups.services import days_changed, turns_changed


class EndedTurn(NamedTuple):
    """The day a turn began and how it ended: what is kept of a deleted turn."""

    day: date
    mode: str
    outcome: str
    reason: str


def turn_audit_record(
    *, conversation_id: UUID, turn_id: UUID, asker: str, response: Mapping[str, Any], trace: Mapping[str, Any]
) -> None:
    """Record a turn's outcome and trace, and count it in a knowledge gap if it shows one.

    Call it in the transaction that ends the turn. response: the complete response. asker: from audit.pseudonyms.
    Question and answer are redacted according to LECTORIUM_REDACT.
    """
    how = Redaction(settings.REDACT)
    whole = {**trace, "sentences": response["sentences"], "withheld": response["withheld"]}
    missing = gap_of(response, trace)
    gap = gap_join(gap=missing, conversation_id=conversation_id, turn_id=turn_id) if missing else None
    audit = TurnAudit.objects.create(
        conversation_id=conversation_id,
        turn_id=turn_id,
        asker=asker,
        question=redacted(response["question"], how),
        outcome=response["outcome"],
        reason=response["reason"] or "",
        gap=gap,
        mode=response["mode"],
        confidence=response["confidence"],
        validation=response["validation"],
        warnings=redacted_warnings(response["warnings"], how),
        timings_ms=response["timings_ms"],
        trace=redacted_trace(whole, how),
    )
    if audit.outcome in ("refused", "closest_passage"):
        refusal_announce(
            audit_id=audit.pk, turn_id=turn_id, outcome=audit.outcome, reason=audit.reason, mode=audit.mode
        )
    days_changed([audit.created_at.astimezone(UTC).date()])


def turn_audit_add_calls(*, conversation_id: UUID, turn_id: UUID, served: Sequence[Mapping[str, Any]]) -> None:
    """Replace the models' calls in a turn's trace; a turn that was not recorded has none."""
    calls = redacted_trace({"served": list(served)}, Redaction(settings.REDACT))
    audits = TurnAudit.objects.filter(conversation_id=conversation_id, turn_id=turn_id)
    with transaction.atomic():
        for audit in audits.select_for_update():
            audit.trace = {**audit.trace, **calls}
            audit.save(update_fields=["trace"])
        turns_changed(conversation_id=conversation_id, turn_ids=[turn_id])


def turn_audits_forget(
    *, conversation_id: UUID, turn_ids: Iterable[UUID], ended: Iterable[EndedTurn]
) -> Mapping[UUID, int]:
    """Delete the audits and feedback of deleted turns, and add the turns to DeletedTurns.

    Returns the number of these turns by knowledge gap id, for audit.gaps.gaps_forget.
    """
    keys = list(turn_ids)
    audits = TurnAudit.objects.filter(conversation_id=conversation_id, turn_id__in=keys)
    feedback = Feedback.objects.filter(conversation_id=conversation_id, turn_id__in=keys)
    gaps = Counter(
        gap_id
        for rows in (audits, feedback)
        for gap_id in rows.filter(gap__isnull=False).order_by().values_list("gap_id", flat=True)
    )
    turns_changed(conversation_id=conversation_id, turn_ids=keys)
    audits.delete()
    feedback.delete()
    for kind, number in Counter(ended).items():
        row, _ = DeletedTurns.objects.get_or_create(**kind._asdict())
        DeletedTurns.objects.filter(pk=row.pk).update(turns=F("turns") + number)
    return gaps
