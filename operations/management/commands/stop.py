from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from lectorium.postgres import PostgresError


class Command(BaseCommand):
    help = "Stops the embedded database server, which outlives the command that started it. The data stays."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        server = settings.EMBEDDED_POSTGRES
        if server is None:
            self.stdout.write("DATABASE_URL is set: Lectorium does not manage this database server.")
            return
        try:
            stopped = server.stop()
        except PostgresError as error:
            raise CommandError(str(error)) from error
        outcome = "Stopped the database server" if stopped else "No database server is running"
        self.stdout.write(f"{outcome} in {server.place.data}.")
