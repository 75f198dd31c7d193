from typing import Any

from django.apps import AppConfig
from django.core.management.base import CommandError
from django.db.models.signals import post_migrate, pre_migrate

from lectorium.providers.memory_release import share_arenas


class LectoriumConfig(AppConfig):
    name = "lectorium"
    verbose_name = "Lectorium"

    def ready(self) -> None:
        share_arenas()
        pre_migrate.connect(_refuse_newer_database)
        post_migrate.connect(_sync_schedules)


def _refuse_newer_database(sender: AppConfig, using: str, **signal: Any) -> None:
    """Sent for each app; once is enough."""
    if sender.label == "django_q":
        from django.db import connections
        from django.db.migrations.loader import MigrationLoader

        from lectorium.database_start import NewerDatabase, check_not_newer

        try:
            check_not_newer(MigrationLoader(connections[using]))
        except NewerDatabase as error:
            raise CommandError(str(error)) from None


def _sync_schedules(sender: AppConfig, **signal: Any) -> None:
    """Runs after the migration of django_q, which creates the table."""
    if sender.label == "django_q":
        from lectorium.schedules import sync_schedules

        sync_schedules()
