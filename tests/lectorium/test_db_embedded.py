"""The Django backend that starts the server, in a Django of its own: each test runs one script in a new process."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lectorium.postgres import EmbeddedPostgres, configuration

pytestmark = pytest.mark.network  # with servers that it starts
PROJECT = Path(__file__).resolve().parents[2]
DJANGO = """
import os, signal, sys, time
from pathlib import Path
import django
from django.conf import settings
from lectorium.postgres import EmbeddedPostgres
from lectorium.postgres.postmaster import serving_pids
server = EmbeddedPostgres(Path(sys.argv[1]))
address = server.address
settings.configure(
    EMBEDDED_POSTGRES=server,
    INSTALLED_APPS=["django.contrib.contenttypes", "lectorium", "operations"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {
        "ENGINE": "lectorium.db_embedded", "HOST": str(address.socket_dir), "PORT": str(address.port),
        "USER": address.user, "NAME": address.database, "OPTIONS": eval(sys.argv[2]),
    }},
)
django.setup()
from django.core.management import CommandError, call_command
from django.db import DatabaseError, OperationalError, connection

def ask(query):
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()[0] if cursor.description else None

def kill_server():
    os.kill(server.status().pid, signal.SIGKILL)
    while serving_pids(server.place):
        time.sleep(0.05)

"""


@pytest.fixture(scope="module")
def state() -> Iterator[Path]:
    quick = configuration.SHARED_MEMORY if configuration.has_shared_memory() else None
    folder = Path(tempfile.mkdtemp(prefix="lectorium-", dir=quick))
    folder.chmod(0o755)
    yield folder / "state"
    EmbeddedPostgres(folder / "state").stop()
    shutil.rmtree(folder)


@pytest.fixture
def in_django(state: Path) -> Iterator[Callable[..., str]]:
    """Runs a script after Django's set-up, the server being stopped before; returns what it wrote."""
    EmbeddedPostgres(state).stop()

    def run(script: str, **options: object) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", DJANGO + script, state, repr(options)],
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


def test_setting_up_django_starts_no_server(in_django):
    assert in_django("print(server.status().is_running)") == "False"


def test_the_first_query_starts_the_server(in_django):
    assert in_django("print(ask('SELECT 40 + 2'), connection.vendor)") == "42 postgresql"


@pytest.mark.slow
def test_the_first_query_of_a_pool_starts_the_server(in_django):
    assert in_django("print(ask('SELECT 40 + 2')); connection.close_pool()", pool={"min_size": 1}) == "42"
    assert in_django("print(ask('SELECT 40 + 2')); connection.close_pool()", pool=True) == "42"


def test_a_new_connection_replaces_a_killed_server(in_django):
    script = """
ask("CREATE TABLE kept AS SELECT 108 AS number")
kill_server()
try:
    ask("SELECT 1")
except DatabaseError:
    connection.close()
print(ask("SELECT number FROM kept"))
ask("DROP TABLE kept")
"""
    assert in_django(script) == "108"


@pytest.mark.slow
def test_a_pool_that_checks_its_connections_replaces_a_killed_server(in_django):
    script = """
connection.settings_dict["CONN_HEALTH_CHECKS"] = True
ask("SELECT 1")
connection.close()
kill_server()
print(ask("SELECT 1"))
connection.close_pool()
"""
    assert in_django(script, pool={"min_size": 1, "timeout": 20}) == "1"


@pytest.mark.slow
def test_the_test_runner_makes_and_drops_its_database(in_django):
    script = """
name = connection.creation.create_test_db(verbosity=0)
print(ask("SELECT current_database()"))
connection.creation.destroy_test_db("lectorium", verbosity=0)
"""
    assert in_django(script) == "test_lectorium"


@pytest.mark.slow
def test_migrate_starts_the_server(in_django):
    script = """
call_command("migrate", verbosity=0)
print(ask("SELECT count(*) FROM django_content_type") > 0)
"""
    assert in_django(script) == "True"


@pytest.mark.parametrize("options", [{}, {"pool": True}], ids=["without a pool", "with a pool"])
def test_a_server_that_cannot_start_is_a_database_error_that_says_why(in_django, state, options):
    script = """
version = server.status().data / "PG_VERSION"
ask("SELECT 1"), connection.close(), connection.close_pool(), server.stop()
version.write_text("15")
try:
    ask("SELECT 1")
except OperationalError as error:
    print(error)
finally:
    version.write_text("18")
"""
    assert "made by PostgreSQL 15" in in_django(script, **options)


def test_another_error_of_a_running_server_is_told_as_it_is(in_django):
    script = """
server.ensure_running()
connection.settings_dict["NAME"] = "absent"
try:
    ask("SELECT 1")
except OperationalError as error:
    print(error)
"""
    assert 'database "absent" does not exist' in in_django(script)


def test_dbshell_uses_the_psql_of_the_package(in_django):
    assert in_django("call_command('dbshell', '--', '-tAc', 'SELECT 40 + 2')") == "42"


def test_the_stop_command_stops_the_server_and_says_so(in_django):
    script = "ask('SELECT 1'); connection.close(); call_command('stop'); call_command('stop')"
    first, second = in_django(script).splitlines()
    assert first.startswith("Stopped the database server in ")
    assert second.startswith("No database server is running in ")


def test_the_stop_command_leaves_an_external_server_alone(in_django):
    told = in_django("server.ensure_running(); settings.EMBEDDED_POSTGRES = None; call_command('stop')")
    assert told == "DATABASE_URL is set: Lectorium does not manage this database server."
    assert in_django("print(server.stop())") == "True"


def test_the_backend_without_a_server_in_the_settings_says_what_is_missing(in_django):
    script = """
settings.EMBEDDED_POSTGRES = None
try:
    ask("SELECT 1")
except Exception as error:
    print(type(error).__name__, error)
"""
    assert in_django(script).startswith("ImproperlyConfigured The database engine lectorium.db_embedded needs")
