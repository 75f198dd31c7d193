"""When a figure of the report is healthy, and when somebody should look into it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise

from audit.domain.metrics import Mean


@dataclass(frozen=True, slots=True)
class ReportRules:
    """Evidence: docs/thresholds.md. The band is of the faithfulness mean (shared/seeds/002, "Measuring defense").

    healthy_faithfulness: above it all is well. alert_faithfulness, alert_weeks: below it so many weeks running,
    somebody should look. least_turns: answers under which nothing is said of either.
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
    """Return where a faithfulness mean stands."""
    if mean.total < rules.least_turns:
        return FigureHealth.TOO_FEW
    if mean.value > rules.healthy_faithfulness:
        return FigureHealth.HEALTHY
    return FigureHealth.LOW if mean.value < rules.alert_faithfulness else FigureHealth.BETWEEN


def low_weeks(weeks: Sequence[tuple[date, Mean]], rules: ReportRules) -> list[tuple[date, Mean]]:
    """Return the latest weeks that can be judged where they, one after the other, are all low; else none.

    weeks: by their Mondays, in order. A last week that has too few turns yet is passed over, once: what the weeks
    before it said still holds.
    """
    judged = list(weeks)
    if judged and health_of(judged[-1][1], rules) is FigureHealth.TOO_FEW:
        judged = judged[:-1]
    latest = judged[-rules.alert_weeks :]
    running = all(later - earlier == timedelta(days=7) for (earlier, _), (later, _) in pairwise(latest))
    low = all(health_of(mean, rules) is FigureHealth.LOW for _, mean in latest)
    return latest if len(latest) == rules.alert_weeks and running and low else []
