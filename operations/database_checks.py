"""The doctor's checks of the database and its replica. Each returns whether it passed, and a sentence."""

import asyncio

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from lectorium import replicas
from lectorium.database_start import NewerDatabase, check_not_newer


def database() -> tuple[bool, str]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        version = cursor.fetchone()[0]
        cursor.execute("SELECT extname || ' ' || extversion FROM pg_extension WHERE extname IN ('vector', 'pg_trgm')")
        extensions = sorted(row[0] for row in cursor.fetchall())
    where = "external (DATABASE_URL)" if settings.EXTERNAL_DATABASE else f"embedded in {settings.STATE_DIR}"
    says = f"PostgreSQL {version}, {where}; {', '.join(extensions) or 'no extensions yet: run manage.py migrate'}"
    return len(extensions) == 2, says


def replica() -> tuple[bool, str]:
    if not replicas.replica.exists:
        return True, "off: REPLICA_URL is not set, so the primary does all look-ups"
    replicas.replica.forget()
    found = asyncio.run(replicas.replica.trouble())
    return not found, f"the replica {found}; the primary does the look-ups" if found else "follows the primary"


def migrations() -> tuple[bool, str]:
    executor = MigrationExecutor(connection)
    try:
        check_not_newer(executor.loader)
    except NewerDatabase as error:
        return False, str(error)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return not waiting, f"{len(waiting)} to apply: run manage.py migrate" if waiting else "all applied"
