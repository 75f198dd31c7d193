"""Writing the audit: one row a turn, in the transaction that ends it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from audit.models import TurnAudit


def turn_audit_record(
    *, conversation_id: UUID, turn_id: UUID, response: Mapping[str, Any], trace: Mapping[str, Any]
) -> TurnAudit:
    """Record how a turn ended and everything that decided it. `response` is the turn's whole response."""
    return TurnAudit.objects.create(
        conversation_id=conversation_id,
        turn_id=turn_id,
        outcome=response["outcome"],
        reason=response["reason"] or "",
        mode=response["mode"],
        confidence=response["confidence"],
        validation=response["validation"],
        warnings=response["warnings"],
        timings_ms=response["timings_ms"],
        trace={**trace, "sentences": response["sentences"], "withheld": response["withheld"]},
    )
