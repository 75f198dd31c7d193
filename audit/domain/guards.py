"""The metrics of the guards on what is stored, and when one of them raises an alert.

Source: shared/seeds/002, "Measuring defense effectiveness over time". Every rule is a function of measurements and a
day, so that tests choose the day.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise

from audit.domain.tallies import monday_of


@dataclass(frozen=True, slots=True)
class GuardRules:
    """Evidence: docs/thresholds.md.

    rises: weekly rates that rise one after another raise an alert. mean_factor, mean_days: a run above this multiple of
    the mean of the runs in the days before does. least: a week in which fewer items were checked is not judged.
    block_from, block_to, block_alert: healthy band of the block rate, and the rate above which it is an alert; likewise
    for the partial rate; contradictions_to: most contradictions per 10,000 facts that are healthy.
    """

    rises: int = 3
    mean_factor: float = 2.0
    mean_days: int = 30
    least: int = 30
    block_from: float = 0.02
    block_to: float = 0.04
    block_alert: float = 0.06
    partial_from: float = 0.05
    partial_to: float = 0.08
    partial_alert: float = 0.12
    contradictions_to: float = 5.0


@dataclass(frozen=True, slots=True)
class GuardKind:
    """A metric: hits among the items checked, or per 10,000 of them.

    low, high: the healthy band; None without one. alert_above: a weekly value above it is an alert. watches_rises,
    watches_mean: which of the two other rules apply.
    """

    name: str
    title: str
    meaning: str
    per: int = 1
    low: float | None = None
    high: float | None = None
    alert_above: float | None = None
    watches_rises: bool = False
    watches_mean: bool = False

    def shown(self, value: float) -> str:
        return f"{100 * value:.1f} %" if self.per == 1 else f"{value:.1f}"


@dataclass(frozen=True, slots=True)
class GuardMeasure:
    """What one run counted, or several runs together. at: the first run's time."""

    at: datetime
    hits: float
    total: float

    def value(self, kind: GuardKind) -> float:
        return kind.per * self.hits / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class RaisedAlert:
    """rule, metric and period name an alert, so that it is sent once. text: for the people it is sent to."""

    rule: str
    metric: str
    period: date
    text: str


def guard_kinds(rules: GuardRules) -> tuple[GuardKind, ...]:
    return (
        GuardKind(
            "guard1_block_rate", "Facts blocked",
            "Extracted facts that their source does not say or contradicts, of all that were checked.",
            low=rules.block_from, high=rules.block_to, alert_above=rules.block_alert, watches_rises=True,
        ),
        GuardKind(
            "guard1_partial_rate", "Facts rewritten", "Extracted facts that their source says only in part.",
            low=rules.partial_from, high=rules.partial_to, alert_above=rules.partial_alert,
        ),
        GuardKind(
            "guard2_contradiction_count", "Contradictions",
            "Contradictions found by a scan of the stored facts, per 10,000 facts.",
            per=10_000, low=0.0, high=rules.contradictions_to, watches_mean=True,
        ),
        GuardKind(
            "article_flag_rate", "Article sentences flagged",
            "Sentences of compiled articles that none of their sources proves, by HaluGate.", watches_rises=True,
        ),
    )  # fmt: skip


def by_week(measures: Iterable[GuardMeasure]) -> dict[date, GuardMeasure]:
    """{Monday: all runs of the week together}, in order. Days are UTC."""
    weeks: dict[date, GuardMeasure] = {}
    for measure in sorted(measures, key=lambda measure: measure.at):
        monday = monday_of(measure.at.date())
        before = weeks.get(monday, GuardMeasure(measure.at, 0, 0))
        weeks[monday] = GuardMeasure(before.at, before.hits + measure.hits, before.total + measure.total)
    return weeks


def rising_weeks(weeks: Mapping[date, float], rules: GuardRules) -> list[tuple[date, float]]:
    """The latest `rises` + 1 weeks if each rate is higher than the one before and none is missing, else [].

    weeks: {Monday: rate} of judged weeks, in order.
    """
    latest = list(weeks.items())[-(rules.rises + 1) :]
    rises = all(
        later - earlier == timedelta(days=7) and after > before
        for (earlier, before), (later, after) in pairwise(latest)
    )
    return latest if len(latest) == rules.rises + 1 and rises else []


def mean_before(runs: Sequence[tuple[datetime, float]], rules: GuardRules) -> float | None:
    """The mean of the runs in the `mean_days` before the last one; None without any. runs: (time, value), in order."""
    if not runs:
        return None
    last, _ = runs[-1]
    before = [value for at, value in runs[:-1] if last - at <= timedelta(days=rules.mean_days)]
    return sum(before) / len(before) if before else None


def guard_alerts(
    kind: GuardKind, measures: Sequence[GuardMeasure], today: date, rules: GuardRules
) -> list[RaisedAlert]:
    """The alerts of one metric. The current week counts for a spike, and only whole weeks for a trend."""
    weeks = {monday: week for monday, week in by_week(measures).items() if week.total >= rules.least}
    rates = {monday: week.value(kind) for monday, week in weeks.items()}
    whole = {monday: rate for monday, rate in rates.items() if monday + timedelta(days=7) <= today}
    runs = [(measure.at, measure.value(kind)) for measure in sorted(measures, key=lambda measure: measure.at)]
    found = (_spike(kind, rates), _rise(kind, whole, rules), _jump(kind, runs, rules))
    return [alert for alert in found if alert and _is_recent(alert.period, today)]


def _spike(kind: GuardKind, rates: Mapping[date, float]) -> RaisedAlert | None:
    latest = max(rates, default=None)
    if latest is None or kind.alert_above is None or rates[latest] <= kind.alert_above:
        return None
    said = f"{kind.shown(rates[latest])} in the week of {latest:%-d %B}, above {kind.shown(kind.alert_above)}"
    return RaisedAlert("above", kind.name, latest, f"{kind.title}: {said}.")


def _rise(kind: GuardKind, whole: Mapping[date, float], rules: GuardRules) -> RaisedAlert | None:
    rising = rising_weeks(whole, rules) if kind.watches_rises else []
    if not rising:
        return None
    said = ", ".join(kind.shown(rate) for _, rate in rising)
    return RaisedAlert("rising", kind.name, rising[-1][0], f"{kind.title}: {rules.rises} rises in a row ({said}).")


def _jump(kind: GuardKind, runs: Sequence[tuple[datetime, float]], rules: GuardRules) -> RaisedAlert | None:
    mean = mean_before(runs, rules) if kind.watches_mean else None
    if mean is None or runs[-1][1] <= rules.mean_factor * mean:
        return None
    at, value = runs[-1]
    said = f"{kind.shown(value)} in one run, over {rules.mean_factor:g} times the mean of {rules.mean_days} days"
    return RaisedAlert("over_mean", kind.name, at.date(), f"{kind.title}: {said} ({kind.shown(mean)}).")


def _is_recent(day: date, today: date) -> bool:
    """Whether a period is this week's or the last whole one, so that old trends are not raised anew."""
    return day >= monday_of(today) - timedelta(days=7)
