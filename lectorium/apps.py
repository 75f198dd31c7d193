"""The project's own app: commands, checks and what is wired once at start-up."""

from django.apps import AppConfig


class LectoriumConfig(AppConfig):
    name = "lectorium"
    verbose_name = "Lectorium"
