"""Queries of the auditor's report, over the stored counts of each day (audit/rollups)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet, Sum

from audit.domain.tallies import Count, Span, TallyKind
from audit.models import ChangedDay, CitationClicks, DeletedTurns, TroubledTurn, TurnCount

TURNS_SHOWN = 20
_LATENCIES = """
SELECT stage, sum(number)::int, min(ms) FILTER (WHERE upto >= 0.5 * whole), min(ms) FILTER (WHERE upto >= 0.95 * whole)
FROM (
    SELECT stage, ms, number, sum(number) OVER (PARTITION BY stage ORDER BY ms) AS upto,
        sum(number) OVER (PARTITION BY stage) AS whole
    FROM (
        SELECT split_part(name, ' ', 1) AS stage, split_part(name, ' ', 2)::float AS ms, number
        FROM (
            SELECT name, sum(number) AS number FROM audit_turncount
            WHERE dimension = '' AND kind = 'latency' AND day BETWEEN %(first)s AND %(last)s
                AND (%(mode)s = '' OR mode = %(mode)s)
            GROUP BY name
        ) AS named
    ) AS buckets
) AS summed GROUP BY stage
"""
_SOURCES = """
SELECT name, sum(number) FILTER (WHERE kind = 'source_trouble') AS trouble, sum(number) FILTER (WHERE kind = 'source')
FROM audit_turncount
WHERE dimension = '' AND kind IN ('source', 'source_trouble') AND day BETWEEN %(first)s AND %(last)s
    AND (%(mode)s = '' OR mode = %(mode)s)
GROUP BY 1 HAVING sum(number) FILTER (WHERE kind = 'source_trouble') > 0
ORDER BY trouble DESC, name LIMIT %(most)s
"""


class Latency(NamedTuple):
    """Milliseconds of a stage, to two digits; stages of answers from the cache have the prefix "again_"."""

    stage: str
    turns: int
    p50: float
    p95: float


class CaughtTurn(NamedTuple):
    """A turn to look at. trouble: why, in words, the gravest first."""

    id: UUID
    at: datetime
    mode: str
    outcome: str
    reason: str
    question: str
    trouble: str


class TroublingSource(NamedTuple):
    """A lecture or work: the troubled turns, and all turns, whose evidence it was part of."""

    name: str
    trouble: int
    turns: int


def report_counts(span: Span, mode: str = "") -> list[Count]:
    """Counts of the audits and deleted turns of these days (UTC), in two queries. mode "": every mode."""
    kinds = [kind.value for kind in TallyKind]
    rows = _of_mode(TurnCount.objects.filter(dimension="", kind__in=kinds), span, mode)
    summed = rows.order_by().values_list("day", "kind", "name").annotate(Sum("number"))
    counts = [Count(day, TallyKind(kind), name, number) for day, kind, name, number in summed]
    deleted = _of_mode(DeletedTurns.objects.all(), span, mode)
    for day, outcome, reason, turns in (
        deleted.values_list("day", "outcome", "reason").order_by().annotate(Sum("turns"))
    ):
        counts.append(Count(day, TallyKind.DELETED_OUTCOME, outcome or "unfinished", turns))
        if outcome == "refused":
            counts.append(Count(day, TallyKind.DELETED_REFUSAL, reason, turns))
    return counts


def slice_counts(span: Span, mode: str, dimension: str) -> dict[str, list[Count]]:
    """Counts of these days by the value of a dimension, e.g. by model. Each is summed over the days."""
    kinds, by = [kind.value for kind in TallyKind], "value"
    if dimension == "mode":
        dimension, by = "", "mode"
    rows = _of_mode(TurnCount.objects.filter(dimension=dimension, kind__in=kinds), span, mode)
    by_value: dict[str, list[Count]] = {}
    for value, kind, name, number in rows.order_by().values_list(by, "kind", "name").annotate(Sum("number")):
        by_value.setdefault(value, []).append(Count(span.last, TallyKind(kind), name, number))
    return by_value


def latencies(span: Span, mode: str = "") -> list[Latency]:
    return [Latency(*row) for row in _rows(_LATENCIES, span, mode)]


def caught_turns(span: Span, mode: str = "", *, most: int = TURNS_SHOWN) -> list[CaughtTurn]:
    """The latest turns in which an unsupported sentence was withheld or shown; at most PER_DAY a day and mode."""
    rows = TroubledTurn.objects.filter(is_caught=True)
    return _turns(_of_mode(rows, span, mode).order_by("-at")[:most])


def worst_turns(span: Span, mode: str = "", *, most: int = TURNS_SHOWN) -> list[CaughtTurn]:
    """The turns that reviewers and readers object to most, then those that the checks caught."""
    return _turns(_of_mode(TroubledTurn.objects.all(), span, mode).order_by("-score", "-at")[:most])


def troubling_sources(span: Span, mode: str = "", *, most: int = TURNS_SHOWN) -> list[TroublingSource]:
    return [TroublingSource(*row) for row in _rows(_SOURCES, span, mode, most=most)]


def clicked_sources(span: Span, *, most: int = TURNS_SHOWN) -> list[tuple[str, int]]:
    rows = CitationClicks.objects.filter(day__range=(span.first, span.last)).order_by()
    summed = rows.values("source").annotate(times=Sum("clicks")).order_by("-times", "source")
    return [(row["source"], row["times"]) for row in summed[:most]]


def has_uncounted() -> bool:
    """Whether turns changed that the stored counts do not have yet."""
    return ChangedDay.objects.exists()


def _of_mode(rows: Any, span: Span, mode: str) -> Any:
    within = rows.filter(day__range=(span.first, span.last))
    return within.filter(mode=mode) if mode else within


def _turns(rows: QuerySet[TroubledTurn]) -> list[CaughtTurn]:
    values = ("audit_id", "at", "mode", "audit__outcome", "audit__reason", "audit__question")
    trouble = ("is_caught", "unhelpful", "disagreed")
    keys = list(rows.values_list("pk", flat=True))  # before the join, which would read every audit
    found = TroubledTurn.objects.filter(pk__in=keys).order_by(*rows.query.order_by).values_list(*values, *trouble)
    return [
        CaughtTurn(key, at, mode, outcome, reason, question, _in_words(is_caught, unhelpful, disagreed))
        for key, at, mode, outcome, reason, question, is_caught, unhelpful, disagreed in found
    ]


def _in_words(is_caught: bool, unhelpful: int, disagreed: int) -> str:
    parts = [f"{disagreed} reviewers disagree" if disagreed > 1 else "a reviewer disagrees"] if disagreed else []
    parts += [f"{unhelpful} complaints" if unhelpful > 1 else "a complaint"] if unhelpful else []
    return ", ".join([*parts, *(["caught by the checks"] if is_caught else [])])


def _rows(query: str, span: Span, mode: str, **more: Any) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, {"first": span.first, "last": span.last, "mode": mode, **more})
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
