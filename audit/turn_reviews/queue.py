"""Fills the review queue: a stratified sample, the turns that the checks objected to, and readers' complaints."""

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from audit.domain.reviewing import REVIEWED
from audit.domain.sampling import SampledTurn, Stratum, draw_sample
from audit.domain.tallies import Span
from audit.models import Feedback, ReviewItem, TurnAudit
from audit.rollups.services import counts_refresh
from audit.selectors import caught_turns

READ = 5000  # turns drawn by id before their traces are read: a trace is large
SAMPLE, FLAGGED, COMPLAINTS = 20, 20, 20
COMPLAINED = (Feedback.Kind.NOT_HELPFUL, Feedback.Kind.NOT_SAID, Feedback.Kind.IN_SOURCES)
Source = ReviewItem.Source

_DRAWN = """
SELECT id FROM audit_turnaudit
WHERE created_at >= %(start)s AND created_at < %(end)s AND outcome = ANY(%(outcomes)s)
ORDER BY md5(id::text || %(seed)s) LIMIT %(most)s
"""
_STRATA = """
SELECT id, coalesce(trace->'writing'->-1->>'risk', 'none'), mode, outcome, coalesce(trace->'plan'->>'language', '')
FROM audit_turnaudit WHERE id = ANY(%(ids)s)
"""


def queue_fill(*, span: Span, sample: int = SAMPLE, seed: str = "") -> dict[str, int]:
    """Put turns of these days (UTC) into the queue; how many were added, by source. Safe to run twice.

    seed: another sample of the same days. A turn is in the queue once, under the first source that brought it.
    """
    counts_refresh()  # which know the turns that the checks caught
    seed = seed or f"{span.first}/{span.last}"
    complaints = Feedback.objects.filter(kind__in=COMPLAINED, given_at__gte=_midnight(span.first)).order_by("-given_at")
    turns = list(complaints.filter(given_at__lt=_after(span)).values_list("turn_id", flat=True)[:COMPLAINTS])
    complained = TurnAudit.objects.filter(turn_id__in=turns).values_list("pk", flat=True)
    added = {Source.FEEDBACK.value: items_add(complained, Source.FEEDBACK)}
    flagged = [turn.id for turn in caught_turns(span, most=FLAGGED)]
    added[Source.FLAGGED.value] = items_add(flagged, Source.FLAGGED)
    drawn = draw_sample(_strata(_drawn(span, seed)), sample, seed)
    added[Source.SAMPLE.value] = items_add((turn.key for turn in drawn), Source.SAMPLE)
    return added


def items_add(audits: Iterable[UUID], source: str) -> int:
    """Put these turns into the queue; how many were not there yet."""
    strata = {turn.key: turn.stratum for turn in _strata(list(audits))}
    known = set(ReviewItem.objects.filter(audit__in=strata).values_list("audit_id", flat=True))
    conversations = dict(TurnAudit.objects.filter(pk__in=strata).values_list("pk", "conversation_id"))
    new = [
        ReviewItem(
            audit_id=key,
            conversation_id=conversations[key],
            source=source,
            risk=stratum.risk,
            mode=stratum.mode,
            outcome=stratum.outcome,
            language=stratum.language,
        )
        for key, stratum in strata.items()
        if key not in known and stratum.outcome in REVIEWED
    ]
    ReviewItem.objects.bulk_create(new, ignore_conflicts=True)  # another worker may add the same
    return len(new)


def _drawn(span: Span, seed: str) -> list[UUID]:
    values = {"start": _midnight(span.first), "end": _after(span), "outcomes": sorted(REVIEWED), "seed": seed,
              "most": READ}  # fmt: skip
    return [row[0] for row in _rows(_DRAWN, values)]


def _strata(audits: list[UUID]) -> list[SampledTurn[UUID]]:
    return [SampledTurn(key, Stratum(*names)) for key, *names in _rows(_STRATA, {"ids": audits})]


def _rows(query: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())


def _midnight(day: Any) -> datetime:
    return datetime.combine(day, time(), UTC)


def _after(span: Span) -> datetime:
    return _midnight(span.last + timedelta(days=1))
