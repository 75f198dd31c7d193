"""Queries of the auditor's report: counts by day, latencies and turns to look at, in one query each."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Sum

from audit.domain.outcomes import ANSWERED
from audit.domain.tallies import Count, Span, TallyKind
from audit.models import DeletedTurns

TURNS_SHOWN = 20
# Withheld for its content, not as a repetition.
_CAUGHT = """(@.withheld != "" && @.withheld != "repeated" && @.withheld != "echo"
    && (@.verdict == "unsupported" || @.verdict == "contradicted"))"""
_OWN_WORDS = '(@.kind == "factual" && @.quoted == false)'
_UNPROVED = '(@.verdict == "unsupported" || @.verdict == "contradicted")'
_PATHS = {
    "caught": f"$ ? {_CAUGHT}",
    "own_words": f"$[*] ? {_OWN_WORDS}",
    "unproved": f"$ ? {_UNPROVED}",
    "caught_in_trace": f"$.writing[*].sentences[*] ? {_CAUGHT}",
    "unproved_in_trace": f"$.sentences[*] ? {_OWN_WORDS} ? {_UNPROVED}",
}

# A trace is large and stored out of line (TOAST): read it once, and count from its parts.
_COUNTS = """
WITH turns AS MATERIALIZED (
    SELECT audit.id, (created_at AT TIME ZONE 'UTC')::date AS day, outcome, reason, kept.*,
        cached IS NOT NULL AS again,
        jsonb_path_exists(sentences, %(own_words)s::jsonpath) IS TRUE AS own_words,
        (validation->>'faithfulness')::float AS faithfulness,
        (validation->>'claims_total')::int - (validation->>'claims_inferred')::int AS scored
    FROM audit_turnaudit AS audit,
        jsonb_to_record(trace) AS kept(cached jsonb, writing jsonb, sentences jsonb, withheld jsonb)
    WHERE created_at >= %(start)s AND created_at < %(end)s AND (%(mode)s = '' OR mode = %(mode)s)
), written AS (
    SELECT id, day, sentence, jsonb_path_exists(sentence, %(caught)s::jsonpath) AS caught
    FROM turns, jsonb_path_query(writing, '$[*].sentences[*]') AS sentence
), shown AS (
    SELECT day, sentence, jsonb_path_exists(sentence, %(unproved)s::jsonpath) AS unproved
    FROM turns, jsonb_path_query(sentences, %(own_words)s::jsonpath) AS sentence WHERE NOT again
)
SELECT day, 'outcome', outcome, count(*)::float FROM turns GROUP BY 1, 3
UNION ALL SELECT day, 'refusal', reason, count(*) FROM turns WHERE outcome = 'refused' GROUP BY 1, 3
UNION ALL SELECT day, 'answer', CASE WHEN again THEN 'cached' WHEN own_words THEN 'written' ELSE 'quoted' END, count(*)
    FROM turns WHERE outcome = ANY(%(answered)s) GROUP BY 1, 3
UNION ALL SELECT day, 'turn', CASE WHEN caught THEN 'caught' ELSE 'clean' END, count(*)
    FROM (SELECT day, id, bool_or(caught) AS caught FROM written GROUP BY 1, 2) AS drafted GROUP BY 1, 3
UNION ALL SELECT day, 'faithfulness', name, sum(number) FROM turns,
    LATERAL (VALUES ('turns', 1.0), ('sum', faithfulness)) AS parts(name, number)
    WHERE outcome = ANY(%(answered)s) AND NOT again AND own_words AND scored > 0 GROUP BY 1, 3
UNION ALL SELECT day, 'sentence', CASE WHEN caught THEN 'caught' ELSE 'clean' END, count(*) FROM written GROUP BY 1, 3
UNION ALL SELECT day, 'shown', CASE WHEN unproved THEN 'unproved' ELSE 'proved' END, count(*) FROM shown GROUP BY 1, 3
UNION ALL SELECT day, 'claim_written', claim #>> '{}', count(*)
    FROM written, jsonb_path_query(sentence, '$.claims[*].verdict') AS claim GROUP BY 1, 3
UNION ALL SELECT day, 'claim_shown', claim #>> '{}', count(*)
    FROM shown, jsonb_path_query(sentence, '$.claims[*].verdict') AS claim GROUP BY 1, 3
UNION ALL SELECT day, 'marker', 'kept', count(*) FROM written, jsonb_path_query(sentence, '$.cited[*]') GROUP BY 1
UNION ALL SELECT day, 'dropped', lost #>> '{}', count(*)
    FROM turns, jsonb_path_query(writing, '$[*].dropped[*].reason') AS lost GROUP BY 1, 3
UNION ALL SELECT day, 'withheld', why #>> '{}', count(*)
    FROM turns, jsonb_path_query(withheld, '$[*].reason') AS why WHERE NOT again GROUP BY 1, 3
"""
_LATENCIES = """
SELECT stage, count(*),
    percentile_disc(0.5) WITHIN GROUP (ORDER BY ms), percentile_disc(0.95) WITHIN GROUP (ORDER BY ms)
FROM (
    SELECT CASE WHEN trace ? 'cached' THEN 'again_' || spent.key ELSE spent.key END AS stage, spent.value::float AS ms
    FROM audit_turnaudit, jsonb_each_text(timings_ms) AS spent
    WHERE created_at >= %(start)s AND created_at < %(end)s AND (%(mode)s = '' OR mode = %(mode)s)
) AS stages GROUP BY 1
"""
_CAUGHT_TURNS = """
SELECT id, created_at, mode, outcome, reason, question FROM audit_turnaudit
WHERE created_at >= %(start)s AND created_at < %(end)s AND (%(mode)s = '' OR mode = %(mode)s)
    AND (jsonb_path_exists(trace, %(caught_in_trace)s::jsonpath)
        OR jsonb_path_exists(trace, %(unproved_in_trace)s::jsonpath))
ORDER BY created_at DESC LIMIT %(most)s
"""


class Latency(NamedTuple):
    """Milliseconds of a stage; stages of answers from the cache have the prefix "again_"."""

    stage: str
    turns: int
    p50: float
    p95: float


class CaughtTurn(NamedTuple):
    """A turn in which an unsupported sentence was withheld or shown."""

    id: UUID
    at: datetime
    mode: str
    outcome: str
    reason: str
    question: str


def report_counts(span: Span, mode: str = "") -> list[Count]:
    """Counts of the audits and deleted turns of these days (UTC), in two queries. mode "": every mode."""
    counts = [Count(day, TallyKind(kind), name or "", number) for day, kind, name, number in _rows(_COUNTS, span, mode)]
    deleted = DeletedTurns.objects.filter(day__range=(span.first, span.last))
    deleted = deleted.filter(mode=mode) if mode else deleted
    for day, outcome, reason, turns in (
        deleted.values_list("day", "outcome", "reason").order_by().annotate(Sum("turns"))
    ):
        counts.append(Count(day, TallyKind.DELETED_OUTCOME, outcome or "unfinished", turns))
        if outcome == "refused":
            counts.append(Count(day, TallyKind.DELETED_REFUSAL, reason, turns))
    return counts


def latencies(span: Span, mode: str = "") -> list[Latency]:
    return [Latency(*row) for row in _rows(_LATENCIES, span, mode)]


def caught_turns(span: Span, mode: str = "", *, most: int = TURNS_SHOWN) -> list[CaughtTurn]:
    return [CaughtTurn(*row) for row in _rows(_CAUGHT_TURNS, span, mode, most=most)]


def _rows(query: str, span: Span, mode: str, **more: Any) -> Iterator[tuple[Any, ...]]:
    values = {
        "start": _midnight(span.first),
        "end": _midnight(span.last + timedelta(days=1)),
        "mode": mode,
        "answered": sorted(ANSWERED),
        **_PATHS,
        **more,
    }
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        yield from cursor.fetchall()


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
