"""`manage.py qcluster`: django-q2's worker, which waits for a database that is still starting and counts its jobs."""

from collections.abc import Mapping
from typing import Any

from django.db import connections
from django_q.management.commands.qcluster import Command as Cluster
from django_q.signals import post_execute

from lectorium.database_start import wait_for_database
from lectorium.metrics import job_counted
from lectorium.schedules import repair_due_times


class Command(Cluster):  # type: ignore[misc]  # django-q2 has no types
    def handle(self, *args: Any, **options: Any) -> None:
        wait_for_database(self.stderr.write)
        repair_due_times()
        connections.close_all()  # workers fork and must not share a connection
        count_jobs()
        super().handle(*args, **options)


def count_jobs() -> None:
    """Count each job in the process that ends it; the cluster forks its processes after this."""
    post_execute.connect(_count)


def _count(sender: str, task: Mapping[str, Any], **signal: Any) -> None:
    job = task["func"]
    job_counted(job=job if isinstance(job, str) else job.__name__, succeeded=bool(task.get("success")))
