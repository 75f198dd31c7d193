"""Builds the auditor's report for a period and a mode: alert, figures with charts, tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from audit.domain.alerts import FigureHealth, ReportRules, health_of, low_weeks
from audit.domain.charts import Chart, ChartValue, chart
from audit.domain.figures import FIGURES, Figure
from audit.domain.inspection.words import STAGES as STAGES_IN_WORDS
from audit.domain.metrics import Mean
from audit.domain.tallies import Span, Tally, TallyKind, monday_of, tallied
from audit.guards import alerts_within, guard_tables
from audit.rollups.counting import PER_DAY
from audit.rollups.services import AT_ONCE, counts_refresh
from audit.selectors import CaughtTurn, Latency, caught_turns, has_uncounted, latencies, report_counts
from audit.slices import slice_tables, source_tables, turns_table, worst_table
from audit.tables import (
    NONE,
    Cell,
    Table,
    day,
    days,
    number,
    percent,
    share,
    share_columns,
    shares_table,
    short_day,
    times_table,
    words,
)
from lectorium.texts.local_text import local_text

RULES = ReportRules()
PERIODS = (7, 30, 90)  # days
BY_DAY_UP_TO = 7
MODES = ("instant", "auto", "thinking")
WEEKS_WATCHED = 5  # for alerts, independent of the chosen period
FAITHFULNESS = next(figure for figure in FIGURES if figure.name == "faithfulness")
STAGES = ("route", "plan", "retrieve", "discard", "synthesize", "verify", "total", "again_total")
STAGE_NAMES = {**STAGES_IN_WORDS, "again_total": gettext_noop("Whole turn, from the cache")}


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The chosen number of days up to today, and the mode; "" means every mode."""

    days: int = 30
    mode: str = ""

    @property
    def query(self) -> str:
        return urlencode({"days": self.days, "mode": self.mode})


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure over the whole period, and by day or week. chart: None if nothing was counted.

    description: the chart in words, for screen readers.
    """

    figure: Figure
    value: str
    of: str
    table: Table
    chart: Chart | None
    description: str


@dataclass(frozen=True, slots=True)
class Report:
    """alert: the sentence of an alert, or "". calm: why there is none, or "". guard_alerts: sent in the period.

    slices: by model, prompt and so on. sources: those in trouble, and opened. is_behind: some turns are not counted.
    """

    asked: ReportRequest
    span: Span
    turns: int
    deleted: int
    alert: str
    calm: str
    guard_alerts: tuple[str, ...]
    period: Table
    figures: tuple[ReportFigure, ...]
    tables: tuple[Table, ...]
    guards: tuple[Table, ...]
    caught: Table
    slices: tuple[Table, ...]
    worst: Table
    sources: tuple[Table, ...]
    is_behind: bool

    def table(self, name: str) -> Table | None:
        every = (self.period, *(figure.table for figure in self.figures), *self.tables, *self.guards, self.caught,
                 *self.slices, self.worst, *self.sources)  # fmt: skip
        return next((table for table in every if table.name == name), None)


def report_of(asked: ReportRequest) -> Report:
    """The report, read from the database in a constant number of queries."""
    counts_refresh(most=AT_ONCE)
    today = datetime.now(UTC).date()
    span = Span.ending(today, asked.days)
    watched = Span(monday_of(today) - timedelta(weeks=WEEKS_WATCHED - 1), today)
    counts = report_counts(Span(min(span.first, watched.first), today), asked.mode)
    parts = tallied(counts, span.days() if asked.days <= BY_DAY_UP_TO else span.weeks())
    [(__, whole)] = tallied(counts, [span])
    alert, calm = _alert(tallied(counts, watched.weeks()))
    return Report(
        asked=asked,
        span=span,
        turns=whole.number(TallyKind.OUTCOME),
        deleted=whole.number(TallyKind.DELETED_OUTCOME),
        alert=alert,
        calm=calm,
        guard_alerts=tuple(alerts_within(span)),
        period=_period(whole),
        figures=tuple(_report_figure(figure, parts, whole) for figure in FIGURES),
        tables=(*_breakdowns(whole, span, asked.mode), _latency(latencies(span, asked.mode))),
        guards=guard_tables(span),
        caught=_caught(caught_turns(span, asked.mode)),
        slices=slice_tables(span, asked.mode),
        worst=worst_table(span, asked.mode),
        sources=source_tables(span, asked.mode),
        is_behind=has_uncounted(),
    )


def _alert(weeks: Sequence[tuple[Span, Tally]]) -> tuple[str, str]:
    """(alert, ""), or ("", why there is none)."""
    means = [(span.first, _faithfulness(tally)) for span, tally in weeks]
    if low := low_weeks(means, RULES):
        said = _("Faithfulness was below {bar} in {number} consecutive weeks: {weeks}.")
        return said.format(bar=_alert_bar(), number=len(low), weeks=_by_week(low)), ""
    judged = [health_of(mean, RULES) is not FigureHealth.TOO_FEW for __, mean in means]
    if not any(map(all, pairwise(judged))):
        said = _(
            "No alert possible: no two consecutive weeks of the last {number} have {least} answers in a model's words "
            "each."
        )
        return "", said.format(number=len(weeks), least=RULES.least_turns)
    return "", _("No alert. Faithfulness by week: {weeks}.").format(weeks=_by_week(means))


def _by_week(means: Sequence[tuple[date, Mean]]) -> str:
    said = _("week of {day}: {share} of {number} answers")
    weeks = (
        said.format(day=short_day(monday), share=percent(mean.value), number=number(mean.total).text)
        for monday, mean in means
        if mean.total
    )
    return "; ".join(weeks)


def _alert_bar() -> str:
    return percent(RULES.alert_faithfulness, 0)


def _faithfulness(tally: Tally) -> Mean:
    measured = FAITHFULNESS.measure(tally)
    assert isinstance(measured, Mean), "faithfulness is a mean"
    return measured


def _period(whole: Tally) -> Table:
    band = _("healthy above {healthy}, alert below {bar}").format(
        healthy=percent(RULES.healthy_faithfulness, 0), bar=_alert_bar()
    )
    rows = []
    for figure in FIGURES:
        measured = figure.measure(whole)
        health = _("no band")
        if isinstance(measured, Mean):
            health = f"{local_text(health_of(measured, RULES))} ({band})"
        title = words(figure.title, f"#{figure.name}")
        rows.append((title, *share(measured), words(figure.whole), Cell(health, health)))
    columns = (_("Figure"), *share_columns(), _("Of what"), _("Band"))
    return Table("figures", _("The whole period"), columns, tuple(rows))


def _report_figure(figure: Figure, parts: Sequence[tuple[Span, Tally]], whole: Tally) -> ReportFigure:
    measures = [(span, figure.measure(tally)) for span, tally in parts]
    series = [
        ChartValue(day(span), measure.value, *measure.interval) if measure.total else ChartValue(day(span), None)
        for span, measure in measures
    ]
    band = (("healthy", RULES.healthy_faithfulness), ("alert", RULES.alert_faithfulness))
    levels = band if figure is FAITHFULNESS else ()
    rows = tuple((days(span), *share(measure)) for span, measure in measures)
    said = _("{day}: {share} of {number}")
    described = (
        said.format(day=day(span), share=percent(part.value), number=number(part.total).text)
        for span, part in measures
        if part.total
    )
    total = figure.measure(whole)
    return ReportFigure(
        figure=figure,
        value=percent(total.value) if total.total else NONE,
        of=_("of {number} {whole}").format(number=number(total.total).text, whole=local_text(figure.whole)),
        table=Table(
            figure.name, local_text(figure.title), (_("Days"), *share_columns()), rows, local_text(figure.meaning)
        ),
        chart=chart(series, levels) if total.total else None,
        description="; ".join(described),
    )


def _breakdowns(whole: Tally, span: Span, mode: str) -> Iterator[Table]:
    outcomes = Table("outcomes", _("Turns by outcome"), (_("Outcome"),), ())
    yield shares_table(
        outcomes, whole, TallyKind.OUTCOME, TallyKind.DELETED_OUTCOME, lambda name: _audits(span, mode, outcome=name)
    )
    refusals = Table("refusals", _("Refusals by reason"), (_("Reason"),), ())
    yield shares_table(
        refusals, whole, TallyKind.REFUSAL, TallyKind.DELETED_REFUSAL, lambda name: _audits(span, mode, reason=name)
    )
    withheld = _("Sentences whose removal was shown to readers, including quotations that failed their check.")
    yield times_table(
        Table("withheld", _("Withheld sentences by reason"), (_("Reason"),), (), withheld), whole, TallyKind.WITHHELD
    )
    dropped = _("Parts of models' drafts that the gauntlet removed before any other check.")
    yield times_table(
        Table("dropped", _("Dropped from drafts by reason"), (_("Reason"),), (), dropped), whole, TallyKind.DROPPED
    )


def _latency(found: Sequence[Latency]) -> Table:
    by_stage = {latency.stage: latency for latency in found}
    listed = [by_stage[stage] for stage in STAGES if stage in by_stage]
    most = max((latency.p95 for latency in listed), default=0.0)
    rows = tuple(
        (
            Cell(local_text(STAGE_NAMES[latency.stage]), latency.stage),
            number(latency.turns),
            number(latency.p50, most),
            number(latency.p95, most),
        )
        for latency in listed
    )
    meaning = _(
        "Milliseconds to two digits, without answers from the cache except in the last row. Verifying overlaps with "
        "writing."
    )
    columns = (_("Stage"), _("Turns"), _("p50 ms"), _("p95 ms"))
    return Table("latency", _("Latency by stage"), columns, rows, meaning)


def _caught(turns: Sequence[CaughtTurn]) -> Table:
    meaning = _("The latest turns, at most {number} of each day and mode, each linked to its trace.")
    title = _("Turns with a caught or unsupported sentence")
    return turns_table(Table("caught", title, (), (), meaning.format(number=PER_DAY)), turns)


def _audits(span: Span, mode: str, **filters: str) -> str:
    """URL of the admin list of these audits."""
    after = span.last + timedelta(days=1)
    within = {"created_at__gte": f"{span.first} 00:00:00Z", "created_at__lt": f"{after} 00:00:00Z"}
    query = filters | ({"mode": mode} if mode else {}) | within
    return f"{reverse('admin:audit_turnaudit_changelist')}?{urlencode(query)}"
