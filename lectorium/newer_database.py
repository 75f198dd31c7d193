"""Refuses a database that a newer release has migrated, because this one would misread it."""

from collections.abc import Iterable

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Migration = tuple[str, str]


class NewerDatabase(Exception):
    """The database is of a newer release; the message names a migration and says what to do."""


def unknown_migrations(applied: Iterable[Migration]) -> list[Migration]:
    """The migrations of installed apps that this release does not have, sorted.

    Those of apps that are no longer installed do not count: releases may drop an app.
    """
    loader = MigrationLoader(None)
    known = {*loader.disk_migrations, *(old for new in loader.disk_migrations.values() for old in new.replaces)}
    return sorted(migration for migration in {*applied} - known if migration[0] in loader.migrated_apps)


def check_not_newer(using: str = DEFAULT_DB_ALIAS) -> None:
    """Raises NewerDatabase, or OperationalError where the database cannot be reached."""
    if unknown := unknown_migrations(MigrationRecorder(connections[using]).applied_migrations()):
        raise NewerDatabase(
            f"The database was migrated by a newer release of Lectorium: this one does not know "
            f"{'.'.join(unknown[-1])}. Run the newer release, or restore a backup that was made before the update "
            "(manage.py restore FILE --replace)."
        )
