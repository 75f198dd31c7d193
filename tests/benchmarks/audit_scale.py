"""`python -m tests.benchmarks.audit_scale`: page times of the audit over many turns, and a month with two incidents.

Needs a LECTORIUM_STATE of its own, which it fills. Everything is generated from a seed.
"""

import argparse
import json
import os
import random
import sys
import time
from datetime import UTC, date, datetime, timedelta
from unittest.mock import patch
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
django.setup()

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import override_settings

from audit.alerts.services import alerts_raise
from audit.domain.metrics import percentile
from audit.models import ChangedDay, GuardAlert, TurnAudit, TurnCount
from audit.rollups.services import counts_refresh, days_changed
from audit.services import turn_audit_record
from tests.audit.recorded import draft, sentence, shown, told

DAYS, ASKED = 90, 20
MODELS, SOURCES = ("small:1", "small:2", "large:1"), 118
MONTH = date(2026, 3, 2)  # a Monday; before it, nothing
RISE, OUTAGE = (date(2026, 3, 16), date(2026, 3, 18)), (date(2026, 3, 25), date(2026, 3, 25))
# A row for each number: mode, outcome, trace and time from its template, by its place among them.
FILL = """
INSERT INTO audit_turnaudit (id, conversation_id, turn_id, asker, question, outcome, reason, mode, confidence,
    validation, warnings, trace, timings_ms, created_at)
SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'reader' || n %% 5000, 'Question ' || n, t.outcome,
    t.reason, t.mode, 0.8, t.validation, '[]', t.trace,
    jsonb_build_object('plan', 5 + n %% 40, 'retrieve', 50 + n %% 400, 'total', 100 + n::bigint * 7919 %% 4000),
    %(first)s::timestamptz + (n::float / %(turns)s) * interval '1 day' * %(days)s
FROM generate_series(%(from)s, %(to)s) AS n
JOIN bench_template AS t ON t.place = (n::bigint * 7919) %% %(templates)s
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1_000_000)
    parser.add_argument("--month", type=int, default=50_000, help="Turns of the simulated month.")
    parser.add_argument("--pages", action="store_true", help="Only time the pages, over what was filled before.")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    if options.pages:
        _pages()
        return 0
    if TurnAudit.objects.exists():
        print("The database has turns: name an empty LECTORIUM_STATE.", file=sys.stderr)
        return 1
    if options.month:
        _month(options.month, random.Random(options.seed))
        TurnAudit.objects.all().delete()
    if options.turns:
        _scale(options.turns, random.Random(options.seed))
    return 0


def _month(turns: int, chance: random.Random) -> None:
    """Record the turns of four weeks with the recording service; every night count and raise alerts."""
    began, each = time.perf_counter(), turns // 28
    for number in range(28):
        day = MONTH + timedelta(days=number)
        for place in range(each):
            at = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=place / each)
            with patch("django.utils.timezone.now", return_value=at):
                _record(day, chance)
        counts_refresh()
        for alert in alerts_raise(today=day + timedelta(days=1)):
            print(f"  night to {day + timedelta(days=1)}: {alert.text}")
    seconds = time.perf_counter() - began
    print(f"month: {28 * each:,} turns recorded and counted in {seconds:.0f} s; {GuardAlert.objects.count()} alerts")


def _record(day: date, chance: random.Random) -> None:
    caught = 0.20 if RISE[0] <= day <= RISE[1] else 0.03
    failed = 0.30 if OUTAGE[0] <= day <= OUTAGE[1] else 0.002
    trace = _trace(chance, is_caught=chance.random() < caught)
    outcome = "failed" if chance.random() < failed else "grounded" if chance.random() < 0.6 else "refused"
    response = {
        "question": "What is the soul?",
        "standalone_question": "What is the soul?",
        "nearest": [],
        "citations": [],
        "outcome": outcome,
        "reason": "",
        "mode": chance.choice(("instant", "auto", "thinking")),
        "confidence": 0.8,
        "validation": told(0.95, 4),
        "warnings": [],
        "timings_ms": {"total": chance.randrange(100, 4000)},
        "sentences": trace.pop("sentences"),
        "withheld": trace.pop("withheld"),
    }
    if outcome == "refused":
        trace = {"plan": trace["plan"], "served": trace["served"]}
    keys = [UUID(int=chance.getrandbits(128)) for _ in range(2)]
    turn_audit_record(conversation_id=keys[0], turn_id=keys[1], asker="x", response=response, trace=trace)


def _trace(chance: random.Random, *, is_caught: bool) -> dict[str, object]:
    lie = [sentence("contradicted", "unsupported_claims")] if is_caught else []
    kept = [
        {"kept": place < 5, "address": f"lecture-{chance.randrange(SOURCES)}:{place}", "chunk": "", "score": 0.5,
         "lanes": {"dense": place, "lexical": place + 3}, "cut_by": None if place < 5 else "cap"}
        for place in range(12)
    ]  # fmt: skip
    return {
        "plan": {"language": chance.choice(("en", "en", "en", "de")), "wordings": [{"text": "soul", "kind": "asked"}]},
        "served": [{"job": "synthesize", "outcome": "written", "model": chance.choice(MODELS), "prompt": "v3"}],
        "candidates": kept,
        "writing": [draft(sentence(), sentence("partial"), *lie)],
        "sentences": shown("supported", "partial"),
        "withheld": [{"reason": "unsupported_claims"}] if lie else [],
    }


def _scale(turns: int, chance: random.Random) -> None:
    today = datetime.now(UTC).date()
    first = today - timedelta(days=DAYS - 1)
    began = time.perf_counter()
    _templates(chance)
    step = 50_000
    for start in range(0, turns, step):
        values = {"from": start, "to": min(turns, start + step) - 1, "turns": turns, "days": DAYS - 0.01}
        with connection.cursor() as cursor:
            cursor.execute(FILL, {**values, "first": f"{first} 00:00+00", "templates": 997})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE audit_turnaudit")
    print(f"filled: {turns:,} turns over {DAYS} days in {time.perf_counter() - began:.0f} s")
    began, slowest = time.perf_counter(), 0.0
    ChangedDay.objects.all().delete()
    for number in range(DAYS):
        day_began = time.perf_counter()
        days_changed([first + timedelta(days=number)])
        counts_refresh()
        slowest = max(slowest, time.perf_counter() - day_began)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE audit_turncount")
    rows = TurnCount.objects.count()
    print(f"counted: {rows:,} counts in {time.perf_counter() - began:.0f} s; slowest day {slowest:.1f} s")
    _pages()


def _templates(chance: random.Random) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE IF NOT EXISTS bench_template (place int PRIMARY KEY, outcome text, reason text, mode text, "
            "validation jsonb, trace jsonb)"
        )
        for place in range(997):
            outcome = chance.choices(("grounded", "refused", "closest_passage", "failed"), (60, 25, 14, 1))[0]
            reason = chance.choice(("outside_corpus", "thin_evidence")) if outcome == "refused" else ""
            mode = chance.choice(("instant", "auto", "thinking"))
            trace = json.dumps(_trace(chance, is_caught=chance.random() < 0.03))
            cursor.execute(
                "INSERT INTO bench_template VALUES (%s, %s, %s, %s, %s, %s)",
                [place, outcome, reason, mode, json.dumps(told(0.95, 4)), trace],
            )


def _pages() -> None:
    user = get_user_model().objects.get_or_create(username="bench", defaults={"is_staff": True, "is_superuser": True})[
        0
    ]
    client = Client()
    client.force_login(user)
    pages = {
        "overview, 7 days": "/audit/?days=7",
        "overview with slices, 30 days": "/audit/?days=30",
        "overview with slices, 90 days": "/audit/?days=90",
        "overview, 90 days, one mode": "/audit/?days=90&mode=auto",
        "slice by model as CSV, 90 days": "/audit/by-model.csv?days=90",
        "alerts": "/audit/alerts/",
        "every turn, the list": "/admin/audit/turnaudit/",
        "every refused turn": "/admin/audit/turnaudit/?outcome=refused",
    }
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        for name, path in pages.items():
            spent = []
            for _ in range(ASKED + 1):
                began = time.perf_counter()
                answer = client.get(path)
                spent.append(1000 * (time.perf_counter() - began))
                assert answer.status_code == 200, (path, answer.status_code)
            first, *again = spent
            p50, p95 = (percentile(again, share) for share in (0.5, 0.95))
            print(f"| {name} | {p50:.0f} | {p95:.0f} | {first:.0f} |")


if __name__ == "__main__":
    sys.exit(main())
