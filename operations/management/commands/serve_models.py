"""`manage.py serve_models`: computes for all processes of this machine, on the socket of LECTORIUM_INFERENCE."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from lectorium.providers import registry
from lectorium.providers.shared.client import EMBEDDER, compute_here
from lectorium.providers.shared.server import ModelServer

ROLES: dict[str, Callable[[], Any]] = {
    "reader": registry.reader,
    "clip_reader": registry.clip_reader,
    "verifier": registry.verifier,
    "rewording_judge": registry.rewording_judge,
}


def model_of(role: str) -> Any:
    """This process's model of a role; None if it is not installed. Raises KeyError for an unknown role."""
    return registry.embedder(role.removeprefix(EMBEDDER)) if role.startswith(EMBEDDER) else ROLES[role]()


class Command(BaseCommand):
    help = (
        "Hold the models once for all web processes and workers of this machine. LECTORIUM_INFERENCE names the socket."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.INFERENCE:
            raise CommandError("LECTORIUM_INFERENCE is empty: set it to the path of a socket, for this and the others.")
        compute_here()
        try:
            server = ModelServer(Path(settings.INFERENCE), model_of)
        except OSError as error:
            raise CommandError(f"LECTORIUM_INFERENCE={settings.INFERENCE}: {error}") from error
        with server:
            self.stdout.write(f"Models are served at {settings.INFERENCE}")
            server.serve_forever()
