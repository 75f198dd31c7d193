"""The checks of `manage.py doctor`. Each returns whether it passed, and a sentence with the remedy."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from django.conf import settings
from django.utils import timezone

from lectorium.schedules import LONGEST_WAIT, PREFIX
from operations import corpus_checks, database_checks

OVERDUE = timedelta(hours=2)  # the most frequent job runs hourly


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    name: str
    ok: bool
    says: str


def diagnose() -> list[DoctorFinding]:
    """Run every check in order. A check that raises is reported as failed."""
    return [_run(name, check) for name, check in CHECKS.items()]


def _run(name: str, check: Callable[[], tuple[bool, str]]) -> DoctorFinding:
    try:
        ok, says = check()
    except Exception as error:  # noqa: BLE001 - a broken installation is what this command is for
        first_line = str(error).strip().splitlines() or [""]
        return DoctorFinding(name, False, f"{type(error).__name__}: {first_line[0]}")
    return DoctorFinding(name, ok, says)


def _calibration() -> tuple[bool, str]:
    from chat.answering.calibrations import calibration_of
    from corpus.selectors import serving_space

    calibration = calibration_of(serving_space())
    return True, f"answers from {calibration.answer_from:.2f}, fitted on {calibration.evidence.get('questions')}"


def _weights() -> tuple[bool, str]:
    from corpus.multilingual import multilingual_space
    from corpus.selectors import serving_space
    from lectorium.providers.registry import embedder
    from lectorium.providers.weight_files.checks import weight_files

    models = {space.model for space in (serving_space(), multilingual_space()) if space}
    files = list(weight_files(models or {embedder().name}))
    found = [fault for file in files if (fault := file.fault())]
    return not found, "; ".join(found) or f"whole: {', '.join(file.path.name for file in files) or 'none in use'}"


def _ladder() -> tuple[bool, str]:
    from lectorium.ladder.jobs import JOBS
    from lectorium.ladder.models import Rung
    from lectorium.ladder.selectors import unresolved

    if faults := list(unresolved()):
        return False, "; ".join(faults)
    jobs = sorted(set(Rung.objects.filter(enabled=True).values_list("job", flat=True)))
    idle = [job for job in jobs if not JOBS[job].used]
    says = f"a model for {', '.join(jobs)}; the rest by their builtin" if jobs else "every job by its builtin"
    return True, says + (f"; {', '.join(idle)}: not used yet, so those rows have no effect" if idle else "")


def _budgets() -> tuple[bool, str]:
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
    from lectorium.providers.http import troubles

    found = asyncio.run(troubles(names))
    return not found, "; ".join(found) or f"reached: {', '.join(names)}"


def _langfuse() -> tuple[bool, str]:
    from lectorium.langfuse_tracing import trouble

    if settings.LANGFUSE is None:
        return True, "off: LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are not set"
    found = trouble(settings.LANGFUSE)
    return not found, found or f"on: turns are sent to {settings.LANGFUSE.host}"


def _redis() -> tuple[bool, str]:
    from lectorium.redis_services import trouble

    if not settings.REDIS_URL:
        return True, "off: REDIS_URL is not set, so each web process has its own cache"
    if found := trouble(settings.REDIS_URL):
        return False, f"{found}; turns run without the cache, and web processes cannot reach each other"
    return True, "written, read and deleted"


def _accounts() -> tuple[bool, str]:
    provider = f"; {settings.OIDC_NAME} signs in" if settings.OIDC_ISSUER else ""
    if settings.SIGN_UP == "open" and not settings.MAIL_CONFIGURED:
        return False, "LECTORIUM_SIGN_UP is open, but LECTORIUM_MAIL is empty: nobody gets the link to sign up"
    if settings.SIGN_UP == "invitation" and not settings.MAIL_CONFIGURED:
        return True, f"sign-up by invitation, whose links you send: LECTORIUM_MAIL is empty{provider}"
    return True, f"sign-up: {settings.SIGN_UP}{provider}"


def _media() -> tuple[bool, str]:
    from django.core.files.base import ContentFile
    from django.core.files.storage import default_storage

    name = default_storage.save(f"doctor/{uuid4().hex}", ContentFile(b"written"))
    try:
        with default_storage.open(name) as file:
            same = file.read() == b"written"
    finally:
        default_storage.delete(name)
    where = getattr(default_storage, "bucket_name", None) or settings.MEDIA_ROOT
    return (
        same,
        f"written, read and deleted in {where}" if same else f"{where} returns other bytes than were written",
    )


def _backup() -> tuple[bool, str]:
    from django.utils.timesince import timesince

    from operations.backup.newest import newest

    made = newest()
    if made is None:
        return True, "none recorded on this machine: run manage.py backup FILE"
    return True, f"{made[1]}, made {timesince(made[0])} ago on this machine".replace("\xa0", " ")


def _metrics() -> tuple[bool, str]:
    if settings.METRICS_TOKEN:
        return True, "on: /metrics requires LECTORIUM_METRICS_TOKEN"
    if settings.THIS_MACHINE_ONLY:
        return True, "on for this machine only: LECTORIUM_METRICS_TOKEN is not set"
    return True, "off: LECTORIUM_METRICS_TOKEN is not set"


def _logs() -> tuple[bool, str]:
    return True, f"{'JSON' if settings.LOG_FORM == 'json' else 'plain'} lines, from {settings.LOG_LEVEL}"


def _jobs() -> tuple[bool, str]:
    from django_q.models import Schedule

    names = list(Schedule.objects.values_list("name", flat=True))
    if not names:
        return False, "none scheduled: run manage.py migrate"
    late = Schedule.objects.filter(next_run__lt=timezone.now() - OVERDUE).order_by("next_run").first()
    if late:
        return (
            False,
            f"{late.name} was due at {late.next_run:%Y-%m-%d %H:%M}: no worker ran it, start manage.py qcluster",
        )
    if off := Schedule.objects.filter(name__startswith=PREFIX, next_run__gt=timezone.now() + LONGEST_WAIT).first():
        return (
            False,
            f"{off.name} was put off until {off.next_run:%Y-%m-%d} by a wrong clock: restart manage.py qcluster",
        )
    return True, f"scheduled: {', '.join(names)}"


def _workers() -> tuple[bool, str]:
    from django_q.models import Task
    from django_q.status import Stat

    try:
        alive = [f"{cluster.host}:{cluster.pid} with {len(cluster.workers)}" for cluster in Stat.get_all()]
    except Exception as error:  # noqa: BLE001 - each cache has its own
        return False, f"the cache, where clusters report, cannot be read: {type(error).__name__}"
    says = f"clusters: {', '.join(alive)}" if alive else "no cluster is running: run manage.py qcluster"
    if not alive and not settings.REDIS_URL:  # without Redis, clusters do not share a cache
        says = "running clusters are only known with REDIS_URL"
    failed = Task.objects.filter(success=False).order_by("-stopped").first()
    if failed and not Task.objects.filter(func=failed.func, success=True, stopped__gt=failed.stopped).exists():
        why = (str(failed.result or "").strip().splitlines() or [""])[0]
        return False, f"{says}; {failed.func} failed at {failed.stopped:%Y-%m-%d %H:%M}: {why}"
    return bool(alive) or not settings.REDIS_URL, says


CHECKS: dict[str, Callable[[], tuple[bool, str]]] = {
    "database": database_checks.database,
    "replica": database_checks.replica,
    "migrations": database_checks.migrations,
    "corpus": corpus_checks.corpus,
    "index": corpus_checks.index,
    "spaces": corpus_checks.spaces,
    "index run": corpus_checks.runs,
    "contexts": corpus_checks.contexts,
    "calibration": _calibration,
    "weights": _weights,
    "ladder": _ladder,
    "budgets": _budgets,
    "services": _chat_services,
    "langfuse": _langfuse,
    "redis": _redis,
    "accounts": _accounts,
    "media": _media,
    "jobs": _jobs,
    "workers": _workers,
    "backup": _backup,
    "metrics": _metrics,
    "logs": _logs,
}
