"""Tables of the report: turns by outcome and reason, what models' drafts lost, latency by stage, caught turns."""

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from audit.domain.inspection import words as trace_words
from audit.domain.tallies import Span, Tally, TallyKind
from audit.rollups.counting import PER_DAY
from audit.selectors import caught_turns, latencies
from audit.slices import turns_table
from audit.tables import Cell, Table, number, shares_table, times_table
from lectorium.texts.local_text import local_text

STAGES = ("route", "plan", "retrieve", "discard", "synthesize", "verify", "total", "again_total")
STAGE_NAMES = {**trace_words.STAGES, "again_total": gettext_noop("Whole turn, from the cache")}


def breakdown_tables(whole: Tally, span: Span, mode: str) -> Iterator[Table]:
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


def latency_table(span: Span, mode: str) -> Table:
    by_stage = {latency.stage: latency for latency in latencies(span, mode)}
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


def caught_table(span: Span, mode: str) -> Table:
    meaning = _("The latest turns, at most {number} of each day and mode, each linked to its trace.")
    title = _("Turns with a caught or unsupported sentence")
    return turns_table(Table("caught", title, (), (), meaning.format(number=PER_DAY)), caught_turns(span, mode))


def _audits(span: Span, mode: str, **filters: str) -> str:
    """URL of the admin list of these audits."""
    after = span.last + timedelta(days=1)
    within = {"created_at__gte": f"{span.first} 00:00:00Z", "created_at__lt": f"{after} 00:00:00Z"}
    query = filters | ({"mode": mode} if mode else {}) | within
    return f"{reverse('admin:audit_turnaudit_changelist')}?{urlencode(query)}"
