"""What a database holds: which migrations, how many rows, and whether anything that somebody made."""

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg.sql import SQL, Identifier

from operations.backup.manifest import Migration

# What migrating alone fills; whoever edits the last two has an account, and so more than these.
SEEDED = {
    "django_migrations", "django_content_type", "auth_permission", "django_q_schedule", "corpus_addressscheme",
    "corpus_glossaryentry",
}  # fmt: skip


def row_counts() -> dict[str, int]:
    """Return the rows of each table of the database in use."""
    counts = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table)))
            counts[table] = cursor.fetchone()[0]
    return counts


def filled() -> dict[str, int]:
    """Return the rows of each table that holds more than migrating put there."""
    return {table: rows for table, rows in row_counts().items() if rows and table not in SEEDED}


def applied() -> tuple[Migration, ...]:
    """Return the migrations that the database in use has."""
    return tuple(sorted(MigrationRecorder(connection).applied_migrations()))


def unknown(migrations: tuple[Migration, ...]) -> list[Migration]:
    """Return those migrations that this release does not have."""
    return sorted(set(migrations) - set(MigrationLoader(None).disk_migrations))
