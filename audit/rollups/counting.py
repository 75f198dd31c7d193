"""Counts the turns of some days from their traces: what the stored counts must equal."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from audit.domain.outcomes import ANSWERED
from audit.domain.tallies import Span

PER_DAY = 20  # troubled turns kept, of each mode: as many of the worst, and of the latest caught
# Withheld for its content, not as a repetition.
_CAUGHT = """(@.withheld != "" && @.withheld != "repeated" && @.withheld != "echo"
    && (@.verdict == "unsupported" || @.verdict == "contradicted"))"""
_OWN_WORDS = '(@.kind == "factual" && @.quoted == false)'
_UNPROVED = '(@.verdict == "unsupported" || @.verdict == "contradicted")'
_PATHS = {
    "caught": f"$ ? {_CAUGHT}",
    "own_words": f"$[*] ? {_OWN_WORDS}",
    "unproved": f"$ ? {_UNPROVED}",
    "caught_in_draft": f"$[*].sentences[*] ? {_CAUGHT}",
    "unproved_shown": f"$[*] ? {_OWN_WORDS} ? {_UNPROVED}",
    "writer": '$[*] ? (@.job == "synthesize" && @.outcome == "written")',
    "kept": "$[*] ? (@.kept == true)",
}

# A trace is large and stored out of line (TOAST): read it once, and count from its parts.
# A complaint weighs 2, a reviewer who disagrees 3, a caught or unsupported sentence 1.
_TURNS = """
WITH turns AS MATERIALIZED (
    SELECT audit.id, created_at, conversation_id, turn_id, (created_at AT TIME ZONE 'UTC')::date AS day, mode, outcome,
        reason, timings_ms, kept.*, cached IS NOT NULL AS again, coalesce(plan->>'language', '') AS language,
        jsonb_path_query_first(served, %(writer)s::jsonpath) AS writer,
        jsonb_path_exists(sentences, %(own_words)s::jsonpath) IS TRUE AS own_words,
        (jsonb_path_exists(writing, %(caught_in_draft)s::jsonpath) IS TRUE
            OR jsonb_path_exists(sentences, %(unproved_shown)s::jsonpath) IS TRUE) AS is_caught,
        (validation->>'faithfulness')::float AS faithfulness,
        (validation->>'claims_total')::int - (validation->>'claims_inferred')::int AS scored
    FROM audit_turnaudit AS audit, jsonb_to_record(trace)
        AS kept(cached jsonb, writing jsonb, sentences jsonb, withheld jsonb, served jsonb, plan jsonb,
            candidates jsonb)
    WHERE created_at >= %(start)s AND created_at < %(end)s
), said AS (
    SELECT turns.id, feedback.kind FROM turns JOIN audit_feedback AS feedback USING (conversation_id, turn_id)
), reviewed AS (
    SELECT turns.id, decision FROM turns JOIN audit_reviewitem AS item ON item.audit_id = turns.id
        JOIN audit_turnreview AS review ON review.item_id = item.id
), trouble AS (
    SELECT id, coalesce(unhelpful, 0) AS unhelpful, coalesce(disagreed, 0) AS disagreed, is_caught,
        least(100, 3 * coalesce(disagreed, 0) + 2 * coalesce(unhelpful, 0) + is_caught::int)::int AS score
    FROM turns
        LEFT JOIN (SELECT id, count(*)::int AS unhelpful FROM said WHERE kind <> 'helpful' GROUP BY id) AS complaints
            USING (id)
        LEFT JOIN (SELECT id, count(*)::int AS disagreed FROM reviewed WHERE decision = 'disagree' GROUP BY id)
            AS objections USING (id)
    WHERE is_caught OR unhelpful > 0 OR disagreed > 0
)
"""
_COUNTS = """
, written AS (
    SELECT id, sentence, jsonb_path_exists(sentence, %(caught)s::jsonpath) AS caught
    FROM turns, jsonb_path_query(writing, '$[*].sentences[*]') AS sentence
), shown AS (
    SELECT id, sentence, jsonb_path_exists(sentence, %(unproved)s::jsonpath) AS unproved
    FROM turns, jsonb_path_query(sentences, %(own_words)s::jsonpath) AS sentence WHERE NOT again
), evidence AS (
    SELECT id, candidate->>'chunk' AS chunk, regexp_replace(candidate->>'address', ':[^:]*$', '') AS source
    FROM turns, jsonb_path_query(candidates, %(kept)s::jsonpath) AS candidate
), sources AS (SELECT DISTINCT id, source FROM evidence WHERE source <> ''
), facts(id, kind, name, number) AS (
    SELECT id, 'outcome', outcome, 1.0::float FROM turns
    UNION ALL SELECT id, 'refusal', reason, 1 FROM turns WHERE outcome = 'refused'
    UNION ALL SELECT id, 'answer', CASE WHEN again THEN 'cached' WHEN own_words THEN 'written' ELSE 'quoted' END, 1
        FROM turns WHERE outcome = ANY(%(answered)s)
    UNION ALL SELECT id, 'turn', CASE WHEN bool_or(caught) THEN 'caught' ELSE 'clean' END, 1 FROM written GROUP BY id
    UNION ALL SELECT id, 'faithfulness', part.name, part.number FROM turns,
        LATERAL (VALUES ('turns', 1.0), ('sum', faithfulness)) AS part(name, number)
        WHERE outcome = ANY(%(answered)s) AND NOT again AND own_words AND scored > 0
    UNION ALL SELECT id, 'sentence', CASE WHEN caught THEN 'caught' ELSE 'clean' END, 1 FROM written
    UNION ALL SELECT id, 'shown', CASE WHEN unproved THEN 'unproved' ELSE 'proved' END, 1 FROM shown
    UNION ALL SELECT id, 'claim_written', claim #>> '{}', 1
        FROM written, jsonb_path_query(sentence, '$.claims[*].verdict') AS claim
    UNION ALL SELECT id, 'claim_shown', claim #>> '{}', 1
        FROM shown, jsonb_path_query(sentence, '$.claims[*].verdict') AS claim
    UNION ALL SELECT id, 'marker', 'kept', 1 FROM written, jsonb_path_query(sentence, '$.cited[*]')
    UNION ALL SELECT id, 'dropped', lost #>> '{}', 1
        FROM turns, jsonb_path_query(writing, '$[*].dropped[*].reason') AS lost
    UNION ALL SELECT id, 'withheld', why #>> '{}', 1
        FROM turns, jsonb_path_query(withheld, '$[*].reason') AS why WHERE NOT again
    UNION ALL SELECT id, 'feedback', said.kind, 1 FROM said
    UNION ALL SELECT id, 'review', decision, 1 FROM reviewed
), sides(id, dimension, value) AS (
    SELECT id, '', '' FROM turns
    UNION ALL SELECT id, 'model', coalesce(writer->>'model', '') FROM turns
    UNION ALL SELECT id, 'prompt', coalesce(writer->>'prompt', '') FROM turns
    UNION ALL SELECT id, 'language', language FROM turns
    UNION ALL SELECT DISTINCT evidence.id, 'collection', collection.key FROM evidence
        JOIN corpus_chunk AS chunk ON chunk.id::text = evidence.chunk
        JOIN corpus_collection AS collection ON collection.id = chunk.collection_id
), tallied AS (
    SELECT id, dimension, value, kind, name, number FROM facts JOIN sides USING (id)
    UNION ALL SELECT id, '', '', 'source', source, 1 FROM sources
    UNION ALL SELECT id, '', '', 'source_trouble', source, 1 FROM sources JOIN trouble USING (id)
    UNION ALL SELECT id, '', '', 'latency',
        (CASE WHEN again THEN 'again_' ELSE '' END) || spent.key || ' ' || round(spent.value::numeric, 2
            - length(trunc(abs(spent.value::numeric))::text))::text, 1
        FROM turns, jsonb_each_text(timings_ms) AS spent
)
SELECT day, mode, dimension, left(value, 200), kind, left(coalesce(name, ''), 200), sum(number)
FROM tallied JOIN turns USING (id) GROUP BY 1, 2, 3, 4, 5, 6
"""
_TROUBLED = """
, ranked AS (
    SELECT day, mode, id, created_at, trouble.is_caught, unhelpful, disagreed, score,
        row_number() OVER (PARTITION BY day, mode ORDER BY score DESC, created_at DESC) AS worst,
        row_number() OVER (PARTITION BY day, mode, trouble.is_caught ORDER BY created_at DESC) AS latest
    FROM trouble JOIN turns USING (id)
)
SELECT day, mode, id, created_at, is_caught, unhelpful, disagreed, score FROM ranked
WHERE worst <= %(most)s OR (is_caught AND latest <= %(most)s)
"""


class StoredCount(NamedTuple):
    """The fields of TurnCount."""

    day: Any
    mode: str
    dimension: str
    value: str
    kind: str
    name: str
    number: float


class StoredTrouble(NamedTuple):
    """The fields of TroubledTurn."""

    day: Any
    mode: str
    audit_id: UUID
    at: datetime
    is_caught: bool
    unhelpful: int
    disagreed: int
    score: int


def count_days(span: Span) -> list[StoredCount]:
    """Every count of these days (UTC), from the traces, feedback and reviews of today."""
    return [StoredCount(*row) for row in _rows(_COUNTS, span)]


def troubled_of(span: Span) -> list[StoredTrouble]:
    return [StoredTrouble(*row) for row in _rows(_TROUBLED, span, most=PER_DAY)]


def _rows(query: str, span: Span, **more: Any) -> Iterator[tuple[Any, ...]]:
    values = {
        "start": datetime.combine(span.first, time(), UTC),
        "end": datetime.combine(span.last + timedelta(days=1), time(), UTC),
        "answered": sorted(ANSWERED),
        **_PATHS,
        **more,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TURNS + query, values)
        yield from cursor.fetchall()
