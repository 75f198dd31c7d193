"""`manage.py serve`: runs the web server, a worker and, if configured, the models' process until one ends or Ctrl-C."""

import os
import shutil
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from honcho.manager import Manager

from lectorium.metrics import FOLDER

READY_SECONDS = 120


class Command(BaseCommand):
    help = "Run the web server and the worker. LECTORIUM_PORT chooses the port."

    def handle(self, *args: Any, **options: Any) -> None:
        port = settings.WEB_PORT
        if not _is_free(port):
            raise CommandError(
                f"Port {port} is in use. Stop what uses it, or choose another: LECTORIUM_PORT=8001 make run"
            )
        environment = {**_environment(), FOLDER: _metrics_folder()}
        manager = Manager()
        flags = f"-v 0 --no-server-name -b 127.0.0.1 -p {port}"
        web = f"{sys.executable} -m lectorium.web.server {flags} lectorium.asgi:application"
        if settings.INFERENCE:
            manager.add_process("models", f"{sys.executable} manage.py serve_models", env=environment)
        manager.add_process(
            "web", web, env={**environment, "LECTORIUM_DB_POOL": "16", "LECTORIUM_WARM": "1"}, quiet=False
        )
        manager.add_process("worker", f"{sys.executable} manage.py qcluster", env=environment)
        threading.Thread(target=self._announce, args=(port,), daemon=True).start()
        manager.loop()
        sys.exit(manager.returncode)

    def _announce(self, port: int) -> None:
        """Print the URL as soon as the site answers."""
        url = f"http://localhost:{port}/"
        for _ in range(READY_SECONDS * 4):
            if _answers(f"http://127.0.0.1:{port}/readyz"):
                self.stdout.write(self.style.SUCCESS(f"\n  Lectorium is ready: {url}   (stop with Ctrl-C)\n"))
                return
            time.sleep(0.25)
        self.stderr.write(f"The site has not answered on {url} for {READY_SECONDS} s; see the lines above.")


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _metrics_folder() -> str:
    """An empty folder in which web and worker count together."""
    folder = settings.STATE_DIR / "metrics"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return str(folder)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": "1"}
