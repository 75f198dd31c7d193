"""Gives a site a quarter of a year of turns to report; run by `manage.py shell`, as an operator would."""

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from audit.models import DeletedTurns, TurnAudit
from audit.rollups.services import counts_refresh, days_changed
from tests.audit.recorded import NOW, TODAY, a_few_days, draft, recorded, sentence, shown, told


def quarter():
    """Record a few turns of each of twelve weeks, of which the last three write badly."""
    for week in range(12):
        low = week < 3
        for n in range(34):
            caught = sentence("contradicted", "unsupported_claims", cited=(1, 2))
            written = [sentence(), sentence("partial"), *([caught] if n % (2 if low else 9) == 0 else [])]
            recorded(
                days_ago=7 * week + n % 7,
                validation=told(0.5 if low else 0.9, 4),
                writing=[draft(*written, dropped=["never_minted"] if n % 11 == 0 else [])],
                sentences=shown("supported", "partial" if n % 5 == 0 else "supported"),
                withheld=[{"reason": "unsupported_claims"}] if caught in written else [],
                took={"plan": 30 + n, "retrieve": 200 + 9 * n, "synthesize": 1500 + n, "total": 2000 + 30 * n},
            )
        for n in range(9):
            recorded("refused", reason=("outside_corpus", "thin_evidence")[n % 2], days_ago=7 * week + n % 7)


if not TurnAudit.objects.filter(outcome="failed", question="Who spoke?").exists():
    a_few_days()
    quarter()
    since = timezone.now() - NOW
    TurnAudit.objects.filter(question="Who spoke?").update(created_at=F("created_at") + since)
    for row in DeletedTurns.objects.filter(day__lte=TODAY):
        DeletedTurns.objects.filter(pk=row.pk).update(day=row.day + timedelta(days=since.days))
    days_changed({at.date() for at in TurnAudit.objects.values_list("created_at", flat=True)})
    counts_refresh()
print("reported")
