"""The tests' databases: a server without durability, a migrated template, and rows that are put back by COPY."""

import fcntl
import hashlib
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from lectorium import threads

ROOT = Path(__file__).resolve().parents[1]
# What the rows and tables of a new database are made of. Later changes of models are migrations.
SOURCES = ("locks/dev.txt", "**/migrations/*.py", "corpus/extensions.py", "corpus/domain/glossary.py",
           "corpus/domain/addresses/*.py")  # fmt: skip
TEMPLATE = "test_template_"
NOT_DURABLE = ("fsync", "full_page_writes", "synchronous_commit")


def template_database():
    """Return the name of a migrated, otherwise empty database; it is made if the migrations changed since."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in SOURCES for path in ROOT.glob(pattern) if ".venv" not in path.parts):
        digest.update(path.read_bytes())
    name = TEMPLATE + digest.hexdigest()[:16]
    with _alone(), connection._nodb_cursor() as cursor:
        if settings.EMBEDDED_POSTGRES:
            _give_up_durability(cursor)
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [TEMPLATE])
        known = {row[0] for row in cursor.fetchall()}
        if name not in known:
            for older in known:
                cursor.execute(f'DROP DATABASE "{older}" WITH (FORCE)')
            _migrate(TEMPLATE + "unfinished")
            cursor.execute(f'ALTER DATABASE "{TEMPLATE}unfinished" RENAME TO "{name}"')
    return name


def _give_up_durability(cursor):
    """Let the server write without waiting for the disk: nobody needs its data after a crash."""
    for name in NOT_DURABLE:
        cursor.execute(f"ALTER SYSTEM SET {name} = off")
    cursor.execute("SELECT pg_reload_conf()")


def _migrate(name):
    kept = connection.settings_dict["NAME"], connection.settings_dict["TEST"]
    connection.settings_dict["TEST"] = {**kept[1], "NAME": name}
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    finally:
        connection.close()
        connection.close_pool()
        settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = kept[0]
        connection.settings_dict["TEST"] = kept[1]


@contextmanager
def _alone():
    """Let one worker at a time make the template."""
    settings.STATE_DIR.mkdir(parents=True, exist_ok=True)
    with (settings.STATE_DIR / "template.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True)
class Rows:
    """The rows of every table that had any, as COPY writes them."""

    tables: dict[str, bytes]

    @classmethod
    def now(cls):
        with connection.cursor() as cursor:
            return cls({table: _dump(cursor, table) for table in _filled(cursor)})

    def put_back(self):
        """Make the database's rows these again; identifiers go on where they were.

        A few rows are deleted much faster than a table is truncated, which makes all its files anew. But vectors are
        truncated: a scan of their index gives up after as many rows as it may read, deleted ones included. Foreign
        keys are not looked up meanwhile, since the rows are whole again at the end.
        """
        with transaction.atomic(), connection.cursor() as cursor:
            filled = _filled(cursor)
            kept = {table for table in filled if table in self.tables and _dump(cursor, table) == self.tables[table]}
            if changed := [_emptying(table) for table in filled if table not in kept]:
                cursor.execute("; ".join(["SET LOCAL session_replication_role = replica", *changed]))
            _load(cursor, {table: rows for table, rows in self.tables.items() if table not in kept})


class FilledOnce:
    """What fills tables by calling a function, and from the second time on by copying the rows that it wrote."""

    def __init__(self):
        self._written = {}

    def __call__(self, name, write):
        if name in self._written:
            with transaction.atomic(), connection.cursor() as cursor:
                _load(cursor, self._written[name])
            return
        before = Rows.now().tables
        write()
        after = Rows.now().tables
        self._written[name] = {table: rows for table, rows in after.items() if rows != before.get(table)}
        mixed = before.keys() & self._written[name].keys()
        assert not mixed, f"{name} adds to what other fixtures wrote: {mixed}"


@contextmanager
def rolled_back(blocker):
    """Write what the tests of a module share inside; it is rolled back at the end. `blocker`: of pytest-django."""
    whole = transaction.atomic()
    blocker.unblock()
    whole.__enter__()
    try:
        yield
    finally:
        transaction.set_rollback(True)
        whole.__exit__(None, None, None)
        blocker.restore()


def _filled(cursor):
    """Return the tables with rows. A function keeps its plan in each session, which takes most of the time to make."""
    cursor.execute("SELECT to_regproc('filled_tables') IS NOT NULL")
    if cursor.fetchone() == (False,):
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [row[0] for row in cursor.fetchall()]
        every = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM \"{table}\")" for table in tables)
        body = f"BEGIN RETURN QUERY {every}; END"
        cursor.execute(f"CREATE FUNCTION filled_tables() RETURNS SETOF text LANGUAGE plpgsql AS $${body}$$")
    cursor.execute("SELECT filled_tables()")
    return [row[0] for row in cursor.fetchall()]


def _emptying(table):
    return f'TRUNCATE "{table}"' if table.endswith("vector") else f'DELETE FROM "{table}"'


def _load(cursor, tables):
    for table, rows in tables.items():
        with cursor.cursor.copy(f'COPY "{table}" FROM STDIN (FORMAT binary)') as copy:
            copy.write(rows)


def _dump(cursor, table):
    with cursor.cursor.copy(f'COPY "{table}" TO STDOUT (FORMAT binary)') as copy:
        return b"".join(bytes(part) for part in copy)


def wait_for_threads() -> None:
    """Wait until no thread of a finished test writes: it would fill, or deadlock, what is put back meanwhile."""
    all_idle = threading.Barrier(threads.THREADS)
    for waiting in [threads._executor.submit(all_idle.wait, 30) for _ in range(threads.THREADS)]:
        waiting.result()


def end_other_sessions() -> None:
    """End what a thread of a test left open, since a database in use cannot be dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
