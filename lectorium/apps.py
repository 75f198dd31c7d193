from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LectoriumConfig(AppConfig):
    name = "lectorium"
    verbose_name = "Lectorium"

    def ready(self) -> None:
        from django_q.signals import post_execute

        post_migrate.connect(_sync_schedules)
        post_execute.connect(_count_job)


def _count_job(sender: str, task: Mapping[str, Any], **signal: Any) -> None:
    """Runs in the worker that ended the job."""
    from lectorium.metrics import job_counted

    job = task["func"]
    job_counted(job=job if isinstance(job, str) else job.__name__, succeeded=bool(task.get("success")))


def _sync_schedules(sender: AppConfig, **signal: Any) -> None:
    """Runs after the migration of django_q, which creates the table."""
    if sender.label == "django_q":
        from lectorium.schedules import sync_schedules

        sync_schedules()
