"""Waits for a database that is still starting, and refuses one that a newer release has migrated."""

import time
from collections.abc import Callable, Iterable

from django.conf import settings
from django.core.management.base import CommandError
from django.db import OperationalError, connection, connections
from django.db.migrations.loader import MigrationLoader

WAIT, BETWEEN = 60.0, 1.0  # seconds in total, and between two attempts
Migration = tuple[str, str]


def wait_for_database(say: Callable[[str], object]) -> None:
    """Return once the database answers. Raises CommandError after a minute, or if a newer release has migrated it.

    The embedded server is started by the first attempt, so there is no second.
    """
    until = time.monotonic() + (0 if settings.EMBEDDED_POSTGRES else WAIT)
    is_told = False
    while True:
        try:
            connection.ensure_connection()
        except OperationalError as error:
            why = " ".join(str(error).split())
            if time.monotonic() >= until:
                raise CommandError(
                    f"The database cannot be reached. Start it, or correct DATABASE_URL. ({why})"
                ) from None
            if not is_told:
                say(f"Waiting up to {WAIT:g} s for the database.")
            is_told = True
            time.sleep(BETWEEN)
        else:
            break
    try:
        check_not_newer()
    except NewerDatabase as error:
        raise CommandError(str(error)) from None
    finally:
        connections.close_all()  # workers fork and must not share a connection


class NewerDatabase(Exception):
    """The database is of a newer release; the message names a migration and says what to do."""


def unknown_migrations(applied: Iterable[Migration], loader: MigrationLoader | None = None) -> list[Migration]:
    """The migrations of installed apps that this release does not have, sorted.

    Those of apps that are no longer installed do not count: releases may drop an app. loader: where the caller has one,
    since reading all migrations takes a while.
    """
    loader = loader or MigrationLoader(None)
    known = {*loader.disk_migrations, *(old for new in loader.disk_migrations.values() for old in new.replaces)}
    return sorted(migration for migration in {*applied} - known if migration[0] in loader.migrated_apps)


def check_not_newer(loader: MigrationLoader | None = None) -> None:
    """Raises NewerDatabase, or OperationalError where the database cannot be reached.

    loader: of a connection; by default the default one is asked.
    """
    loader = loader or MigrationLoader(connection)
    if unknown := unknown_migrations(loader.applied_migrations or (), loader):
        raise NewerDatabase(
            f"The database was migrated by a newer release of Lectorium: this one does not know "
            f"{'.'.join(unknown[-1])}. Run the newer release, or restore a backup that was made before the update "
            "(manage.py restore FILE --replace)."
        )
