from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LectoriumConfig(AppConfig):
    name = "lectorium"
    verbose_name = "Lectorium"

    def ready(self) -> None:
        post_migrate.connect(_sync_schedules)


def _sync_schedules(sender: AppConfig, **signal: Any) -> None:
    """Runs after the migration of django_q, which creates the table."""
    if sender.label == "django_q":
        from lectorium.schedules import sync_schedules

        sync_schedules()
