"""The weeks in which tests record metrics and raise alerts."""

from datetime import UTC, date, datetime, timedelta

MONDAY = date(2026, 1, 5)
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
TODAY = MONDAY + timedelta(weeks=4)
