"""The table of scheduled jobs, which `sync_schedules` writes to django-q2."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import connection
from django.utils import timezone

PREFIX = "lectorium: "  # marks rows managed here
LONGEST_WAIT = timedelta(days=2)  # every job is due at least daily


@dataclass(frozen=True, slots=True)
class ScheduledJob:
    """A task and its schedule; `cron` in UTC."""

    name: str
    task: str
    cron: str


JOBS = (
    ScheduledJob("index what changed", "corpus.tasks.index_corpus", "7 * * * *"),
    ScheduledJob("delete old turns", "chat.tasks.expire_turns", "17 3 * * *"),
    ScheduledJob("delete what readers do not keep", "accounts.tasks.expire_own_turns", "23 3 * * *"),
    ScheduledJob("tidy conversations", "chat.tasks.tidy_conversations", "37 * * * *"),
    ScheduledJob("forget ended sessions", "lectorium.tasks.forget_sessions", "27 3 * * *"),
    ScheduledJob("cluster knowledge gaps", "audit.tasks.cluster_gaps", "57 * * * *"),
    ScheduledJob("tidy imports", "corpus.tasks.tidy_imports", "47 * * * *"),
    ScheduledJob("transcribe recordings", "corpus.tasks.transcribe_due", "51 * * * *"),
    ScheduledJob("check articles whose sources changed", "articles.tasks.recheck_due", "27 * * * *"),
    ScheduledJob("watch the guards", "audit.tasks.watch_guards", "7 4 * * *"),
    ScheduledJob("count turns", "audit.tasks.count_turns", "*/5 * * * *"),
    ScheduledJob("send alerts again", "audit.tasks.send_alerts", "*/5 * * * *"),
    ScheduledJob("draw turns to review", "audit.tasks.draw_reviews", "13 4 * * *"),
    ScheduledJob("read facts", "curation.facts.tasks.read_facts", "27 * * * *"),
    ScheduledJob("compare facts", "curation.facts.tasks.compare_facts", "41 2 * * *"),
    ScheduledJob("translate what changed", "curation.translations.tasks.translate_due", "17 * * * *"),
)


def sync_schedules() -> None:
    """Make the stored schedules equal JOBS; an operator's own schedules stay."""
    from django_q.models import Schedule  # after the apps are loaded

    if Schedule._meta.db_table not in connection.introspection.table_names():
        return  # only some apps were migrated
    for job in JOBS:
        Schedule.objects.update_or_create(
            name=PREFIX + job.name,
            defaults={"func": job.task, "schedule_type": Schedule.CRON, "cron": job.cron, "repeats": -1},
        )
    kept = [PREFIX + job.name for job in JOBS]
    Schedule.objects.filter(name__startswith=PREFIX).exclude(name__in=kept).delete()


def repair_due_times() -> None:
    """Make due what a clock that ran ahead for a while has put off: scheduled jobs, and tasks locked for an attempt."""
    from django_q.conf import Conf
    from django_q.models import OrmQ, Schedule

    now = timezone.now()
    longest_lock = timedelta(seconds=2 * Conf.RETRY)
    Schedule.objects.filter(name__startswith=PREFIX, next_run__gt=now + LONGEST_WAIT).update(next_run=now)
    OrmQ.objects.filter(lock__gt=now + longest_lock).update(lock=now)
