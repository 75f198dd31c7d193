"""The project's own app: commands, checks and what is wired once at start-up."""

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class LectoriumConfig(AppConfig):
    name = "lectorium"
    verbose_name = "Lectorium"

    def ready(self) -> None:
        from lectorium.schedules import sync_schedules

        # Sent for apps with models only, and by then the jobs' table stands.
        post_migrate.connect(sync_schedules, sender=apps.get_app_config("django_q"))
