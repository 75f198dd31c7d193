"""`manage.py qcluster`: django-q2's worker, which waits for a database that is still starting and counts its jobs."""

import ctypes
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

from django.db import connections
from django_q.management.commands.qcluster import Command as Cluster
from django_q.signals import post_execute

from lectorium.database_start import wait_for_database
from lectorium.metrics import job_counted
from lectorium.schedules import repair_due_times

PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>


class Command(Cluster):  # type: ignore[misc]  # django-q2 has no types
    def handle(self, *args: Any, **options: Any) -> None:
        wait_for_database(self.stderr.write)
        repair_due_times()
        connections.close_all()  # workers fork and must not share a connection
        count_jobs()
        end_with_parent()
        super().handle(*args, **options)


def count_jobs() -> None:
    """Count each job in the process that ends it; the cluster forks its processes after this."""
    post_execute.connect(_count)


def end_with_parent() -> None:
    """On Linux, end each process of the cluster with the one that forked it, even if that was killed.

    Otherwise the rest would work on, and the next cluster beside it.
    """
    if sys.platform == "linux":
        set_option = ctypes.CDLL(None).prctl
        os.register_at_fork(after_in_child=lambda: set_option(PR_SET_PDEATHSIG, signal.SIGKILL))


def _count(sender: str, task: Mapping[str, Any], **signal: Any) -> None:
    job = task["func"]
    job_counted(job=job if isinstance(job, str) else job.__name__, succeeded=bool(task.get("success")))
