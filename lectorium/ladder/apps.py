"""After migrations, jobs that never had a row get the one named by the environment."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LadderConfig(AppConfig):
    name = "lectorium.ladder"
    label = "ladder"
    verbose_name = "Model ladder"

    def ready(self) -> None:
        post_migrate.connect(_seed, sender=self)


def _seed(sender: AppConfig, **signal: Any) -> None:
    from lectorium.ladder.services import ladder_seed

    ladder_seed()
