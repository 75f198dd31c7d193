"""The backend `lectorium.db_embedded`: PostgreSQL as in Django, served by `settings.EMBEDDED_POSTGRES`.

A connection is tried first and the server started only where that fails, so a running server costs nothing,
and one that was killed while this process lives is started again by the next new connection.
"""

from collections.abc import Iterable
from typing import Any, Self

import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.postgresql import base, client
from psycopg.rows import TupleRow

from lectorium.postgres import EmbeddedPostgres, PostgresError


def embedded_server() -> EmbeddedPostgres:
    """The server of `settings.EMBEDDED_POSTGRES`; raises ImproperlyConfigured where it is None or missing."""
    server = getattr(settings, "EMBEDDED_POSTGRES", None)
    if not isinstance(server, EmbeddedPostgres):
        raise ImproperlyConfigured(
            "The database engine lectorium.db_embedded needs EMBEDDED_POSTGRES = EmbeddedPostgres(state_dir)."
        )
    return server


def start_server() -> None:
    """Start the server unless it answers; raises psycopg.OperationalError where it cannot be started."""
    try:
        embedded_server().ensure_running()
    except PostgresError as error:
        raise psycopg.OperationalError(str(error)) from error


class PooledConnection(psycopg.Connection[TupleRow]):
    """A connection of the pool, whose own threads open it."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> Self:
        """Connect as psycopg does, after starting the server where it does not answer."""
        try:
            return super().connect(conninfo, **kwargs)
        except psycopg.OperationalError:
            start_server()
            return super().connect(conninfo, **kwargs)


class DatabaseClient(client.DatabaseClient):
    """`manage.py dbshell` with the psql of the server's version."""

    @classmethod
    def settings_to_cmd_args_env(
        cls, settings_dict: dict[str, Any], parameters: Iterable[str]
    ) -> tuple[list[str], dict[str, str] | None]:
        (_, *arguments), environment = super().settings_to_cmd_args_env(settings_dict, parameters)
        return [str(embedded_server().program("psql")), *arguments], environment

    def runshell(self, parameters: Iterable[str]) -> None:
        start_server()
        super().runshell(parameters)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper whose new connections find the server running."""

    client_class = DatabaseClient

    def __init__(self, settings_dict: dict[str, Any], alias: str = DEFAULT_DB_ALIAS) -> None:
        if pool := settings_dict["OPTIONS"].get("pool"):
            chosen = {} if pool is True else pool
            settings_dict["OPTIONS"]["pool"] = {"connection_class": PooledConnection, **chosen}
        super().__init__(settings_dict, alias)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection from the pool, or a new one; the server is started where it does not answer."""
        if self.pool:
            if self.pool.closed:  # started here and not by the pool's threads, so that a failure is told at once
                start_server()
            return super().get_new_connection(conn_params)
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            start_server()
            return super().get_new_connection(conn_params)
