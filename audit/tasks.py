"""Queued jobs of the audit. Safe to run twice; each returns a line for the job's record."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from audit.alerts.services import alerts_raise, deliveries_send, events_forget
from audit.clustering import gaps_cluster
from audit.domain.tallies import Span
from audit.replays.services import replay_run
from audit.rollups.services import counts_refresh
from audit.turn_reviews.queue import queue_fill


def cluster_gaps() -> str:
    """Put questions that were not answered into clusters of one meaning."""
    return f"{gaps_cluster()} questions joined knowledge gaps"


def watch_guards() -> str:
    """Raise the alerts that were not raised before, send them, and delete old events."""
    counts_refresh()
    return f"{len(alerts_raise())} alerts raised, {deliveries_send()}, {events_forget()} old events deleted"


def count_turns() -> str:
    """Count the days again whose turns changed."""
    return f"{len(counts_refresh())} days counted"


def send_alerts() -> str:
    """Send the alerts and events that have not arrived yet."""
    return deliveries_send()


def replay_turn(replay_id: str, collections: Sequence[str]) -> str:
    """Ask a recorded question again."""
    return replay_run(replay_id=UUID(replay_id), collections=[UUID(key) for key in collections])


def draw_reviews() -> str:
    """Put turns of yesterday into the review queue."""
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    added = queue_fill(span=Span(yesterday, yesterday))
    return ", ".join(f"{number} {source}" for source, number in added.items()) + " added"
