"""When an alert or an event is sent again, and when it is not sent at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from audit.domain.guards import RaisedAlert


class WebhookEvent(StrEnum):
    """What an operator may choose to be told of (LECTORIUM_WEBHOOK_EVENTS)."""

    ANSWER_REFUSED = "answer.refused"
    GAP_OPENED = "gap.opened"
    IMPORT_FINISHED = "import.finished"
    IMPORT_FAILED = "import.failed"


@dataclass(frozen=True, slots=True)
class DeliveryRules:
    """Evidence: docs/thresholds.md.

    first_minutes: until the second try; each later wait is `factor` times as long, at most `longest_hours`.
    give_up_days: after the first try. at_once: alerts in one notice; what is raised beside them is counted in it.
    failures_in_a_row: of the webhook, until the rest of a run waits for the next one: the receiver is down.
    kept_days: of an event after it was stored, whether it arrived or not.
    """

    first_minutes: float = 5
    factor: float = 3
    longest_hours: float = 6
    give_up_days: float = 3
    at_once: int = 10
    failures_in_a_row: int = 3
    kept_days: float = 30


def next_try(first: datetime, tries: int, now: datetime, rules: DeliveryRules) -> datetime | None:
    """When to try again after `tries` failures; None once it is given up.

    A clock that was set back makes `now` lie before `first`: it is tried again as after the first failure.
    """
    if now - first >= timedelta(days=rules.give_up_days):
        return None
    minutes = rules.first_minutes * rules.factor ** min(tries - 1, 20)
    return now + min(timedelta(minutes=minutes), timedelta(hours=rules.longest_hours))


def notice_text(alerts: Sequence[str], rules: DeliveryRules) -> str:
    """One text for all alerts of a night, so that a bad night is one mail."""
    shown, more = alerts[: rules.at_once], len(alerts) - rules.at_once
    rest = [f"… and {more} more."] if more > 0 else []
    return "\n".join([*shown, *rest, "See the audit report: acknowledge or mute it there."])


def unmuted(alerts: Sequence[RaisedAlert], muted: Sequence[tuple[str, str]]) -> list[RaisedAlert]:
    """The alerts that no mute, a (rule, metric), covers."""
    return [alert for alert in alerts if (alert.rule, alert.metric) not in set(muted)]
