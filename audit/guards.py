"""Stores the counts of the guards on stored content, shows them in tables of the report, and finds the alerts due."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from audit.domain.alerts import ReportRules, low_weeks
from audit.domain.figures import QUESTIONS, faithfulness
from audit.domain.guards import GuardKind, GuardMeasure, GuardRules, RaisedAlert, by_week, guard_alerts, guard_kinds
from audit.domain.jumps import JumpRules, is_jump, pooled
from audit.domain.metrics import Share, percent
from audit.domain.tallies import Span, Tally, TallyKind, monday_of, tallied
from audit.models import GuardAlert, GuardMetric
from audit.selectors import report_counts
from audit.tables import Cell, Table, number, short_day, words
from lectorium.texts.local_text import local_text

RULES = GuardRules()
KINDS = guard_kinds(RULES)
WATCHED_WEEKS = 6
RUNS_SHOWN = 60


def metric_record(*, metric: str, hits: float, total: float, at: datetime | None = None) -> None:
    """Store what a run counted. Runs that checked nothing are left out. Raises ValueError for an unknown metric."""
    if metric not in {kind.name for kind in KINDS}:
        raise ValueError(f"{metric!r} is not one of {', '.join(kind.name for kind in KINDS)}")
    if total:
        GuardMetric.objects.create(metric=metric, hits=hits, total=total, at=at or datetime.now(UTC))


def alerts_now(today: date) -> list[RaisedAlert]:
    """The alerts due on this day, by the stored metrics and by the faithfulness of answers."""
    span = Span(monday_of(today) - timedelta(weeks=WATCHED_WEEKS), today)
    measures = _measures(span)
    found = [alert for kind in KINDS for alert in guard_alerts(kind, measures.get(kind.name, []), today, RULES)]
    return [*found, *_faithfulness_alerts(span), *_jump_alerts(today - timedelta(days=1))]


def guard_tables(span: Span) -> tuple[Table, Table]:
    """The metrics by week, and by run, newest first."""
    measures = _measures(span)
    weekly, runs = [], []
    for kind in KINDS:
        for monday, week in sorted(by_week(measures.get(kind.name, [])).items(), reverse=True):
            health = _health(kind, week)
            week_of = Cell(short_day(monday), monday.isoformat())
            weekly.append((words(kind.title), week_of, *_cells(kind, week), Cell(health, health)))
        runs += [(kind, measure) for measure in measures.get(kind.name, [])]
    runs.sort(key=lambda run: run[1].at, reverse=True)
    rows = tuple(
        (
            words(kind.title),
            Cell(date_format(run.at, _("j M, H:i")), run.at.isoformat(timespec="seconds")),
            *_cells(kind, run),
        )
        for kind, run in runs[:RUNS_SHOWN]
    )
    meaning = " ".join(f"{local_text(kind.title)}: {local_text(kind.meaning)}" for kind in KINDS)
    columns = (_("Metric"), _("When (UTC)"), _("Counted"), _("Of"), _("Value"))
    latest = _("The latest {number} runs.").format(number=RUNS_SHOWN)
    return (
        Table("guards", _("Guards on what is stored, by week"), (_("Metric"), _("Week of"), *columns[2:], _("Band")),
              tuple(weekly), meaning),
        Table("guard-runs", _("Guards on what is stored, by run"), columns, rows, latest),
    )  # fmt: skip


def alerts_within(span: Span) -> list[str]:
    """The alerts sent in these days, newest first."""
    return [row.text for row in GuardAlert.objects.filter(raised_at__date__range=(span.first, span.last))]


def _measures(span: Span) -> dict[str, list[GuardMeasure]]:
    begin = datetime.combine(span.first, time(), UTC)
    end = datetime.combine(span.last + timedelta(days=1), time(), UTC)
    found: dict[str, list[GuardMeasure]] = {}
    rows = GuardMetric.objects.filter(at__gte=begin, at__lt=end).order_by("at")
    for metric, at, hits, total in rows.values_list("metric", "at", "hits", "total"):
        found.setdefault(metric, []).append(GuardMeasure(at, hits, total))
    return found


def _faithfulness_alerts(span: Span) -> list[RaisedAlert]:
    """An alert if the mean faithfulness was low in consecutive weeks (shared/seeds/002, third rule)."""
    rules = ReportRules()
    means = [(week.first, faithfulness(tally)) for week, tally in tallied(report_counts(span), span.weeks())]
    low = low_weeks(means, rules)
    if not low:
        return []
    said = ", ".join(f"{100 * mean.value:.0f} %" for __, mean in low)
    text = f"Faithfulness of answers: below {100 * rules.alert_faithfulness:.0f} % {len(low)} weeks in a row ({said})."
    return [RaisedAlert("low", "guard3_faithfulness_mean", low[-1][0], text)]


def _jump_alerts(day: date) -> list[RaisedAlert]:
    """Alerts of a whole day whose caught or failed turns are far above those of the days before."""
    rules = JumpRules()
    span = Span.ending(day, rules.days + 1)
    *before, (__, last) = tallied(report_counts(span), span.days())
    found = []
    for metric, (title, share_of) in JUMPS.items():
        today, earlier = share_of(last), [share_of(tally) for __, tally in before]
        if is_jump(today, earlier, rules):
            usual = pooled(earlier)
            text = (
                f"{title}: {percent(today)} on {day:%-d %B}, against {100 * usual.value:.1f} % in the "
                f"{rules.days} days before."
            )
            found.append(RaisedAlert("jump", metric, day, text))
    return found


def _caught_share(tally: Tally) -> Share:
    return Share(tally.number(TallyKind.TURN, among={"caught"}), tally.number(TallyKind.TURN))


def _failed_share(tally: Tally) -> Share:
    return Share(tally.number(TallyKind.OUTCOME, among={"failed"}), tally.number(TallyKind.OUTCOME, among=QUESTIONS))


JUMPS: Mapping[str, tuple[str, Callable[[Tally], Share]]] = {
    "turns_caught": ("Turns with a caught sentence", _caught_share),
    "turns_failed": ("Failed turns", _failed_share),
}


def _cells(kind: GuardKind, measure: GuardMeasure) -> tuple[Cell, ...]:
    value = measure.value(kind)
    return number(measure.hits), number(measure.total), Cell(kind.shown(value), round(value, 4))


def _health(kind: GuardKind, week: GuardMeasure) -> str:
    if kind.high is None:
        return _("no band")
    band = _("{low} to {high}").format(low=kind.shown(kind.low or 0), high=kind.shown(kind.high))
    if week.total < RULES.least:
        return _("too few to tell") + f" ({band})"
    is_healthy = (kind.low or 0) <= week.value(kind) <= kind.high
    return (_("healthy") if is_healthy else _("outside")) + f" ({band})"
