"""The database that a restore builds beside the one in use, and swaps in with one transaction.

If anything fails, the database in use is unchanged.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from operations.backup.errors import BackupError
from operations.backup.programs import parameters_of

IN_USE = "The database is in use: first stop every web and worker process and disconnect other clients."


@contextmanager
def database_beside() -> Iterator[str]:
    """Create an empty database, dropped at the end of the block unless it was swapped in. Raises BackupError."""
    name = _name("restoring")
    try:
        with _elsewhere() as server:
            _drop(server, name)  # left by a restore that was killed
            server.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        yield name
    except psycopg.errors.InsufficientPrivilege:
        user = connection.settings_dict["USER"]
        raise BackupError(
            f"Restoring creates a database, which {user!r} may not: run ALTER ROLE {user} CREATEDB as a superuser."
        ) from None
    except psycopg.errors.ObjectInUse:
        raise BackupError("Another restore is running on this server.") from None
    except psycopg.Error as error:
        raise BackupError(f"The database server refused: {_first_line(error)}") from None
    finally:
        with suppress(psycopg.Error), _elsewhere() as server:
            _drop(server, name)


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Connect Django to another database of the same server."""
    before = connection.settings_dict["NAME"]
    leave()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def is_alone() -> bool:
    """Whether no other client is connected to the database in use."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return not cursor.fetchone()[0]


def swap_in(name: str) -> None:
    """Rename the new database to that of the one in use, which is dropped. Raises BackupError if that has clients."""
    in_use, old = connection.settings_dict["NAME"], _name("replaced")
    leave()
    with _elsewhere() as server:
        _drop(server, old)
        try:
            with server.transaction():
                server.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(Identifier(in_use), Identifier(old)))
                server.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(Identifier(name), Identifier(in_use)))
        except psycopg.errors.ObjectInUse:
            raise BackupError(IN_USE) from None
        except psycopg.Error as error:
            raise BackupError(f"The restored database could not take its place: {_first_line(error)}") from None
        with suppress(psycopg.Error):  # the new database is in place; the next restore drops the old one
            _drop(server, old)


def leave() -> None:
    """Close every connection, including a pool."""
    if connection.settings_dict["OPTIONS"].pop("pool", None):
        connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's wrapper has one
    connection.close()


def _name(purpose: str) -> str:
    # Hashed, because PostgreSQL would truncate a longer name to that of the database in use.
    return f"lectorium_{purpose}_{sha256(str(connection.settings_dict['NAME']).encode()).hexdigest()[:12]}"


def _elsewhere() -> psycopg.Connection[Any]:
    return psycopg.connect(make_conninfo(**parameters_of("postgres")), autocommit=True)


def _drop(server: psycopg.Connection[Any], name: str) -> None:
    server.execute(SQL("DROP DATABASE IF EXISTS {}").format(Identifier(name)))


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
