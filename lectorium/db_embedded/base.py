"""The backend `lectorium.db_embedded`: Django's PostgreSQL backend on `settings.EMBEDDED_POSTGRES`.

The server is only started when a connection fails, so a running server costs nothing, and a killed one is restarted by
the next connection.
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
    server = getattr(settings, "EMBEDDED_POSTGRES", None)
    if not isinstance(server, EmbeddedPostgres):
        raise ImproperlyConfigured(
            "The database engine lectorium.db_embedded needs EMBEDDED_POSTGRES = EmbeddedPostgres(state_dir)."
        )
    return server


def start_server() -> None:
    """Start the server unless it answers. Raises psycopg.OperationalError."""
    try:
        embedded_server().ensure_running()
    except PostgresError as error:
        raise psycopg.OperationalError(str(error)) from error


class PooledConnection(psycopg.Connection[TupleRow]):
    """A connection opened by a pool's thread."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> Self:
        try:
            return super().connect(conninfo, **kwargs)
        except psycopg.OperationalError:
            start_server()
            return super().connect(conninfo, **kwargs)


class DatabaseClient(client.DatabaseClient):
    """`manage.py dbshell` with the server's own psql."""

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
    client_class = DatabaseClient

    def __init__(self, settings_dict: dict[str, Any], alias: str = DEFAULT_DB_ALIAS) -> None:
        if pool := settings_dict["OPTIONS"].get("pool"):
            chosen = {} if pool is True else pool
            settings_dict["OPTIONS"]["pool"] = {"connection_class": PooledConnection, **chosen}
        super().__init__(settings_dict, alias)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self.pool:
            if self.pool.closed:  # started here and not on the pool's threads, so that a failure is reported at once
                start_server()
            return super().get_new_connection(conn_params)
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            start_server()
            return super().get_new_connection(conn_params)
