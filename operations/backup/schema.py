"""What a database contains: its migrations, row counts, and whether anyone has added data."""

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from psycopg.sql import SQL, Identifier

from operations.backup.manifest import Migration

# Filled by `migrate`. Editing the last two takes an account, which has rows in other tables.
SEEDED = {
    "django_migrations", "django_content_type", "auth_permission", "auth_group", "auth_group_permissions",
    "django_q_schedule", "corpus_addressscheme", "corpus_glossaryentry",
}  # fmt: skip


def row_counts() -> dict[str, int]:
    """Rows by table."""
    counts = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table)))
            counts[table] = cursor.fetchone()[0]
    return counts


def filled() -> dict[str, int]:
    """Rows by table, for tables with rows that no migration inserted."""
    return {table: rows for table, rows in row_counts().items() if rows and table not in SEEDED}


def applied() -> tuple[Migration, ...]:
    return tuple(sorted(MigrationRecorder(connection).applied_migrations()))
