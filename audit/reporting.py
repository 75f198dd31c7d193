"""Builds the auditor's report for a period and a mode: alert, figures with charts, tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from audit.breakdowns import breakdown_tables, caught_table, latency_table
from audit.domain.alerts import FigureHealth, ReportRules, health_of, low_weeks
from audit.domain.charts import Chart, ChartValue, chart
from audit.domain.figures import FIGURES, Figure, faithfulness
from audit.domain.metrics import Mean
from audit.domain.tallies import Span, Tally, TallyKind, monday_of, tallied
from audit.guards import alerts_within, guard_tables
from audit.rollups.services import AT_ONCE, counts_refresh
from audit.selectors import has_uncounted, report_counts
from audit.slices import slice_tables, source_tables, worst_table
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
    short_day,
    words,
)
from lectorium.texts.local_text import local_text

RULES = ReportRules()
PERIODS = (7, 30, 90)  # days
BY_DAY_UP_TO = 7
MODES = ("instant", "auto", "thinking")
WEEKS_WATCHED = 5  # for alerts, independent of the chosen period


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
        tables=(*breakdown_tables(whole, span, asked.mode), latency_table(span, asked.mode)),
        guards=guard_tables(span),
        caught=caught_table(span, asked.mode),
        slices=slice_tables(span, asked.mode),
        worst=worst_table(span, asked.mode),
        sources=source_tables(span, asked.mode),
        is_behind=has_uncounted(),
    )


def _alert(weeks: Sequence[tuple[Span, Tally]]) -> tuple[str, str]:
    """(alert, ""), or ("", why there is none)."""
    means = [(span.first, faithfulness(tally)) for span, tally in weeks]
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
    levels = band if figure.measure is faithfulness else ()
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
