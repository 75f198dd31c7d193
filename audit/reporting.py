"""The auditor's report of a period and a mode: its alerts, its figures with their charts, its tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import Truncator

from audit.domain.alerts import FigureHealth, ReportRules, health_of, low_weeks
from audit.domain.charts import Chart, ChartValue, chart
from audit.domain.figures import FIGURES, Figure
from audit.domain.metrics import Mean
from audit.domain.tallies import Span, Tally, TallyKind, monday_of, tallied
from audit.selectors import CaughtTurn, Latency, caught_turns, latencies, report_counts
from audit.tables import (
    NONE,
    SHARE_COLUMNS,
    Cell,
    Table,
    day,
    days,
    number,
    percent,
    share,
    shares_table,
    times_table,
    words,
)

RULES = ReportRules()
PERIODS = (7, 30, 90)  # days
BY_DAY_UP_TO = 7
MODES = ("instant", "auto", "thinking")
QUESTION_SHOWN = 120  # characters on the page; the file has it whole
WEEKS_WATCHED = 5  # for alerts, whatever period is looked at
FAITHFULNESS = next(figure for figure in FIGURES if figure.name == "faithfulness")
ALERT = percent(RULES.alert_faithfulness, 0)
BAND = f"healthy above {percent(RULES.healthy_faithfulness, 0)}, alert below {ALERT}"
STAGES = ("route", "plan", "retrieve", "discard", "synthesize", "verify", "total", "again_total")


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What a report is asked for: so many days up to today, of one mode, or of all where it is ""."""

    days: int = 30
    mode: str = ""

    @property
    def query(self) -> str:
        return urlencode({"days": self.days, "mode": self.mode})


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure over the whole period, and by day or week as a table and a chart; None where nothing was counted."""

    figure: Figure
    value: str
    of: str
    table: Table
    chart: Chart | None
    told: str


@dataclass(frozen=True, slots=True)
class Report:
    asked: ReportRequest
    span: Span
    turns: int
    deleted: int
    alert: str
    calm: str
    period: Table
    figures: tuple[ReportFigure, ...]
    tables: tuple[Table, ...]
    caught: Table

    def table(self, name: str) -> Table | None:
        """Return the table of this name; None where there is none."""
        every = (self.period, *(drawn.table for drawn in self.figures), *self.tables, self.caught)
        return next((table for table in every if table.name == name), None)


def report_of(asked: ReportRequest) -> Report:
    """Read the report from the database, in a constant number of queries."""
    today = datetime.now(UTC).date()
    span = Span.ending(today, asked.days)
    watched = Span(monday_of(today) - timedelta(weeks=WEEKS_WATCHED - 1), today)
    counts = report_counts(Span(min(span.first, watched.first), today), asked.mode)
    parts = tallied(counts, span.days() if asked.days <= BY_DAY_UP_TO else span.weeks())
    [(_, whole)] = tallied(counts, [span])
    alert, calm = _alert(tallied(counts, watched.weeks()))
    return Report(
        asked=asked,
        span=span,
        turns=whole.number(TallyKind.OUTCOME),
        deleted=whole.number(TallyKind.DELETED_OUTCOME),
        alert=alert,
        calm=calm,
        period=_period(whole),
        figures=tuple(_drawn(figure, parts, whole) for figure in FIGURES),
        tables=(*_breakdowns(whole, span, asked.mode), _latency(latencies(span, asked.mode))),
        caught=_caught(caught_turns(span, asked.mode)),
    )


def _alert(weeks: Sequence[tuple[Span, Tally]]) -> tuple[str, str]:
    """Return the alert in words, or else why there is none."""
    means = [(span.first, _faithfulness(tally)) for span, tally in weeks]
    if low := low_weeks(means, RULES):
        return f"Faithfulness was below {ALERT} in {len(low)} weeks running: {_told(low)}.", ""
    told = [health_of(mean, RULES) is not FigureHealth.TOO_FEW for _, mean in means]
    if not any(map(all, pairwise(told))):
        least = f"{RULES.least_turns} answers in a model's words"
        return "", f"No two weeks running of the last {len(weeks)} have {least} each, so no alert could be raised."
    return "", f"None now. Faithfulness by week: {_told(means)}."


def _told(means: Sequence[tuple[date, Mean]]) -> str:
    told = (
        f"from {monday:%-d %b} on {percent(mean.value)} over {mean.total:,} answers"
        for monday, mean in means
        if mean.total
    )
    return "; ".join(told)


def _faithfulness(tally: Tally) -> Mean:
    measured = FAITHFULNESS.measure(tally)
    assert isinstance(measured, Mean), "faithfulness is a mean"
    return measured


def _period(whole: Tally) -> Table:
    rows = []
    for figure in FIGURES:
        measured = figure.measure(whole)
        stands = f"{health_of(measured, RULES).value} ({BAND})" if isinstance(measured, Mean) else "no band"
        named = words(figure.title, f"#{figure.name}")
        rows.append((named, *share(measured), words(figure.whole), words(stands)))
    columns = ("Figure", *SHARE_COLUMNS, "Of what", "Against its band")
    return Table("figures", "The whole period", columns, tuple(rows))


def _drawn(figure: Figure, parts: Sequence[tuple[Span, Tally]], whole: Tally) -> ReportFigure:
    measures = [(span, figure.measure(tally)) for span, tally in parts]
    series = [
        ChartValue(day(span), one.value, *one.interval) if one.total else ChartValue(day(span), None)
        for span, one in measures
    ]
    bars = (("healthy", RULES.healthy_faithfulness), ("alert", RULES.alert_faithfulness))
    levels = bars if figure is FAITHFULNESS else ()
    rows = tuple((days(span), *share(one)) for span, one in measures)
    all_of_it = figure.measure(whole)
    return ReportFigure(
        figure=figure,
        value=percent(all_of_it.value) if all_of_it.total else NONE,
        of=f"of {all_of_it.total:,} {figure.whole}",
        table=Table(figure.name, figure.title, ("Days", *SHARE_COLUMNS), rows, figure.meaning),
        chart=chart(series, levels) if all_of_it.total else None,
        told="; ".join(f"{day(span)} {percent(one.value)} of {one.total:,}" for span, one in measures if one.total),
    )


def _breakdowns(whole: Tally, span: Span, mode: str) -> Iterator[Table]:
    outcomes = Table("outcomes", "Turns by outcome", ("Outcome",), ())
    yield shares_table(
        outcomes, whole, TallyKind.OUTCOME, TallyKind.DELETED_OUTCOME, lambda name: _audits(span, mode, outcome=name)
    )
    refusals = Table("refusals", "Refusals by reason", ("Reason",), ())
    yield shares_table(
        refusals, whole, TallyKind.REFUSAL, TallyKind.DELETED_REFUSAL, lambda name: _audits(span, mode, reason=name)
    )
    withheld = "What readers were told was removed, quotations that failed their check among it."
    yield times_table(
        Table("withheld", "Withheld sentences by reason", ("Reason",), (), withheld), whole, TallyKind.WITHHELD
    )
    dropped = "What the gauntlet took out of models' drafts before anything else looked at them."
    yield times_table(
        Table("dropped", "Dropped from drafts by reason", ("Reason",), (), dropped), whole, TallyKind.DROPPED
    )


def _latency(found: Sequence[Latency]) -> Table:
    by_stage = {latency.stage: latency for latency in found}
    listed = [by_stage[stage] for stage in STAGES if stage in by_stage]
    most = max((one.p95 for one in listed), default=0.0)
    rows = tuple(
        (
            words("total, from the cache" if one.stage == "again_total" else one.stage),
            number(one.turns),
            number(one.p50, most),
            number(one.p95, most),
        )
        for one in listed
    )
    meaning = (
        "Milliseconds, of turns that were not given again from the cache. Verifying goes on while the model writes."
    )
    return Table("latency", "Latency by stage", ("Stage", "Turns", "p50 ms", "p95 ms"), rows, meaning)


def _caught(turns: Sequence[CaughtTurn]) -> Table:
    rows = tuple(
        (
            Cell(f"{turn.at:%-d %b, %H:%M}", turn.at.isoformat(timespec="seconds")),
            Cell(
                Truncator(turn.question).chars(QUESTION_SHOWN) or NONE,
                turn.question,
                reverse("admin:audit_turnaudit_change", args=[turn.id]),
            ),
            words(turn.mode),
            words(turn.outcome),
            words(turn.reason),
        )
        for turn in turns
    )
    meaning = "The latest, each with a link to its whole trace."
    columns = ("When (UTC)", "Question", "Mode", "Outcome", "Reason")
    return Table("caught", "Turns with a sentence caught or not borne out", columns, rows, meaning)


def _audits(span: Span, mode: str, **which: str) -> str:
    """Return admin's list of these audits."""
    after = span.last + timedelta(days=1)
    within = {"created_at__gte": f"{span.first} 00:00:00Z", "created_at__lt": f"{after} 00:00:00Z"}
    narrowed = which | ({"mode": mode} if mode else {}) | within
    return f"{reverse('admin:audit_turnaudit_changelist')}?{urlencode(narrowed)}"
