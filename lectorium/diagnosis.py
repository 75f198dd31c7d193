"""The checks behind `manage.py doctor`. Each says in one sentence what is so, and what to do where it is wrong."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    ok: bool
    says: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def diagnose() -> list[Finding]:
    """Run every check in order; a check that fails to run is a finding too, and the rest go on."""
    return [_run(name, check) for name, check in CHECKS.items()]


def _run(name: str, check: Callable[[], tuple[bool, str]]) -> Finding:
    try:
        ok, says = check()
    except Exception as error:  # noqa: BLE001 - a broken installation is what this command is for
        first_line = str(error).strip().splitlines() or [""]
        return Finding(name, False, f"{type(error).__name__}: {first_line[0]}")
    return Finding(name, ok, says)


def _database() -> tuple[bool, str]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        version = cursor.fetchone()[0]
        cursor.execute("SELECT extname || ' ' || extversion FROM pg_extension WHERE extname IN ('vector', 'pg_trgm')")
        extensions = sorted(row[0] for row in cursor.fetchall())
    where = "external (DATABASE_URL)" if settings.EXTERNAL_DATABASE else f"embedded in {settings.STATE_DIR}"
    says = f"PostgreSQL {version}, {where}; {', '.join(extensions) or 'no extensions yet: run manage.py migrate'}"
    return len(extensions) == 2, says


def _migrations() -> tuple[bool, str]:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return not waiting, f"{len(waiting)} to apply: run manage.py migrate" if waiting else "all applied"


def _corpus() -> tuple[bool, str]:
    from corpus.selectors import corpus_size

    size = corpus_size()
    says = f"{size.lectures:,} lectures, {size.verses:,} verses, {size.library_passages:,} library passages"
    return bool(size.lectures + size.verses), says if size.lectures + size.verses else "empty: run manage.py prepare"


def _index() -> tuple[bool, str]:
    from corpus.selectors import serving_space, space_progress

    space = serving_space()
    if space is None:
        return False, "no embedding space serves yet: run manage.py index"
    done, total = space_progress(space)
    return done == total, f"{done:,} of {total:,} chunks in {space}" + (
        "" if done == total else ": run manage.py index"
    )


def _spaces() -> tuple[bool, str]:
    from corpus.models import EmbeddingSpace
    from corpus.selectors import space_progress
    from lectorium.providers.registry import embedder

    spaces = list(EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.RETIRED).order_by("created_at"))
    says = []
    for space in spaces:
        done, total = space_progress(space)
        says.append(f"{space} {space.state}, {done / total if total else 1:.0%}")
    if embedder().name not in {space.model for space in spaces}:
        return False, "; ".join([*says, f"none of the configured {embedder().name}: run manage.py space build"])
    return True, "; ".join(says)


def _index_run() -> tuple[bool, str]:
    from corpus.models import IndexRun

    run = IndexRun.objects.select_related("space").first()
    if run is None:
        return True, "none yet"
    says = f"{run.embedded:,} of {run.total:,} chunks by {run.worker} at {run.seen_at:%Y-%m-%d %H:%M}, {run.outcome}"
    if run.outcome in ("failed", "killed"):
        return False, f"{says}{': ' if run.error else ''}{run.error}; manage.py index goes on where it ended"
    return True, says


def _calibration() -> tuple[bool, str]:
    from chat.calibrations import calibration_of
    from corpus.selectors import serving_space

    calibration = calibration_of(serving_space())
    return True, f"answers from {calibration.answer_from:.2f}, fitted on {calibration.evidence.get('questions')}"


def _ladder() -> tuple[bool, str]:
    from lectorium.ladder.models import Rung
    from lectorium.ladder.selectors import unresolved

    if faults := list(unresolved()):
        return False, "; ".join(faults)
    jobs = sorted(set(Rung.objects.filter(enabled=True).values_list("job", flat=True)))
    return True, f"a model for {', '.join(jobs)}; the rest by their builtin" if jobs else "every job by its builtin"


def _budgets() -> tuple[bool, str]:
    from django.utils import timezone

    from lectorium.ladder.models import Budget
    from lectorium.ladder.selectors import levels, spent

    today = spent(timezone.now().date())
    says = f"today {today.tokens:,} tokens, {today.cost.normalize():f} in cost"
    found = list(levels(Budget.objects.all()))
    caps = [f"{level.name} {level.says}{' (used up)' if level.is_reached else ''}" for level in found]
    return not any(level.is_reached for level in found), "; ".join([says, *(caps or ["no budget is set"])])


def _chat_services() -> tuple[bool, str]:
    from lectorium.ladder.selectors import models_in_use

    names = [name for name in models_in_use() if name.partition(":")[0] in settings.CHAT_ENDPOINTS]
    if not names:
        return True, "none in use"
    from lectorium.providers.reaching import troubles

    found = asyncio.run(troubles(names))
    return not found, "; ".join(found) or f"reached: {', '.join(names)}"


def _langfuse() -> tuple[bool, str]:
    from lectorium.observing import trouble

    if settings.LANGFUSE is None:
        return True, "off: LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are not set"
    found = trouble(settings.LANGFUSE)
    return not found, found or f"on: told of each turn at {settings.LANGFUSE.host}"


def _jobs() -> tuple[bool, str]:
    from django_q.models import Schedule

    names = list(Schedule.objects.values_list("name", flat=True))
    return bool(names), f"scheduled: {', '.join(names)}" if names else "none scheduled: run manage.py migrate"


CHECKS: dict[str, Callable[[], tuple[bool, str]]] = {
    "database": _database,
    "migrations": _migrations,
    "corpus": _corpus,
    "index": _index,
    "spaces": _spaces,
    "index run": _index_run,
    "calibration": _calibration,
    "ladder": _ladder,
    "budgets": _budgets,
    "services": _chat_services,
    "langfuse": _langfuse,
    "jobs": _jobs,
}
