"""Keeps the stored counts equal to the turns: every change names its day, and a changed day is counted again whole."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F

from audit.domain.tallies import Span
from audit.models import ChangedDay, CitationClicks, TroubledTurn, TurnAudit, TurnCount
from audit.rollups.counting import count_days, troubled_of

LOCK = 0x617564697420  # of the transaction that counts; a second one leaves the days to it
AT_ONCE = 500  # turns that a page may count while its reader waits
BATCH = 2000


def days_changed(days: Iterable[date]) -> None:
    """Mark days as to be counted again. Call it in the transaction that changes their turns."""
    ChangedDay.objects.bulk_create(ChangedDay(day=day) for day in sorted(set(days)))


def turns_changed(*, conversation_id: UUID, turn_ids: Iterable[UUID]) -> None:
    """Mark the days of recorded turns, after a late change such as feedback or a review."""
    audits = TurnAudit.objects.filter(conversation_id=conversation_id, turn_id__in=list(turn_ids)).order_by()
    days_changed(at.astimezone(UTC).date() for at in audits.values_list("created_at", flat=True))


def counts_refresh(*, most: int | None = None) -> list[date]:
    """Count every changed day again, and return those days. most: leave them alone if they have more turns than this.

    A change that is committed while they are counted has a row of its own, which stays for the next time.
    """
    with transaction.atomic():
        if not _lock():
            return []
        changed = list(ChangedDay.objects.values_list("pk", "day"))
        days = sorted({day for _, day in changed})
        if most is not None and _turns_on(days, most + 1) > most:
            return []
        for day in days:
            _count(day)
        ChangedDay.objects.filter(pk__in=[key for key, _ in changed]).delete()
    return days


def click_count(*, source: str, day: date) -> None:
    row, _ = CitationClicks.objects.get_or_create(day=day, source=source[:200])
    CitationClicks.objects.filter(pk=row.pk).update(clicks=F("clicks") + 1)


def _count(day: date) -> None:
    span = Span(day, day)
    TurnCount.objects.filter(day=day).delete()
    TurnCount.objects.bulk_create((TurnCount(**row._asdict()) for row in count_days(span)), batch_size=BATCH)
    TroubledTurn.objects.filter(day=day).delete()
    TroubledTurn.objects.bulk_create((TroubledTurn(**row._asdict()) for row in troubled_of(span)), batch_size=BATCH)


def _turns_on(days: list[date], most: int) -> int:
    """The number of turns on these days, at most `most`."""
    found = 0
    for day in days:
        start = datetime.combine(day, time(), UTC)
        audits = TurnAudit.objects.filter(created_at__gte=start, created_at__lt=start + timedelta(days=1))
        found += audits.order_by().values("pk")[: most - found].count() if found < most else 0
    return found


def _lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        [got] = cursor.fetchone()
    return bool(got)
