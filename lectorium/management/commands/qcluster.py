"""`manage.py qcluster`: django-q2's worker, which waits for a database that is still starting."""

from typing import Any

from django_q.management.commands.qcluster import Command as Cluster

from lectorium.database_start import wait_for_database


class Command(Cluster):  # type: ignore[misc]  # django-q2 has no types
    def handle(self, *args: Any, **options: Any) -> None:
        wait_for_database(self.stderr.write)
        super().handle(*args, **options)
