"""The project's own app: commands, checks and what is wired once at start-up."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LectoriumConfig(AppConfig):
    name = "lectorium"
    verbose_name = "Lectorium"

    def ready(self) -> None:
        post_migrate.connect(_sync_schedules)


def _sync_schedules(sender: AppConfig, **signal: Any) -> None:
    """Follow the migration of the jobs' own app: only then is there a table to write to."""
    if sender.label == "django_q":
        from lectorium.schedules import sync_schedules

        sync_schedules()
