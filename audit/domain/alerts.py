"""Decides whether faithfulness is healthy, and when the report raises an alert."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise

from audit.domain.metrics import Mean


@dataclass(frozen=True, slots=True)
class ReportRules:
    """The band of mean faithfulness (shared/seeds/002, "Measuring defense"). Evidence: docs/thresholds.md.

    healthy_faithfulness: a mean above it is healthy. alert_faithfulness, alert_weeks: a mean below it in this many
    consecutive weeks raises an alert. least_turns: a mean over fewer answers is not judged.
    """

    healthy_faithfulness: float = 0.85
    alert_faithfulness: float = 0.80
    alert_weeks: int = 2
    least_turns: int = 30


class FigureHealth(StrEnum):
    HEALTHY = "healthy"
    BETWEEN = "between"
    LOW = "low"
    TOO_FEW = "too few to tell"


def health_of(mean: Mean, rules: ReportRules) -> FigureHealth:
    if mean.total < rules.least_turns:
        return FigureHealth.TOO_FEW
    if mean.value > rules.healthy_faithfulness:
        return FigureHealth.HEALTHY
    return FigureHealth.LOW if mean.value < rules.alert_faithfulness else FigureHealth.BETWEEN


def low_weeks(weeks: Sequence[tuple[date, Mean]], rules: ReportRules) -> list[tuple[date, Mean]]:
    """The latest `alert_weeks` weeks if they are consecutive and all low, else [].

    weeks: (Monday, mean) in order. If the last week has too few turns so far, it is skipped.
    """
    complete = list(weeks)
    if complete and health_of(complete[-1][1], rules) is FigureHealth.TOO_FEW:
        complete = complete[:-1]
    latest = complete[-rules.alert_weeks :]
    consecutive = all(later - earlier == timedelta(days=7) for (earlier, _), (later, _) in pairwise(latest))
    low = all(health_of(mean, rules) is FigureHealth.LOW for _, mean in latest)
    return latest if len(latest) == rules.alert_weeks and consecutive and low else []
