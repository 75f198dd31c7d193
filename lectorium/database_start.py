"""Waits for a database that is still starting."""

import time
from collections.abc import Callable

from django.conf import settings
from django.core.management.base import CommandError
from django.db import OperationalError, connection, connections

from lectorium.newer_database import NewerDatabase, check_not_newer

WAIT, BETWEEN = 60.0, 1.0  # seconds in total, and between two attempts


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
