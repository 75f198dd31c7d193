"""The embedded server, started for real. Every test has a server and a state folder of its own."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from lectorium.postgres import EmbeddedPostgres, PostgresError, configuration, postmaster
from lectorium.postgres.programs import LIBRARIES, PACKAGE, package_folder

pytestmark = pytest.mark.network  # with servers that it starts
PROJECT = Path(__file__).resolve().parents[2]
SITE_PACKAGES = Path(psycopg.__file__).parents[1]
NOBODY = 65534
# In memory where there is enough: servers write much and wait for the disk when they start and stop.
QUICK = configuration.SHARED_MEMORY if configuration.has_shared_memory() else None
START = """
import sys
from pathlib import Path
from lectorium.postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
server.ensure_running()
print(server.status().pid)
"""
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="Only root hands the server over to another user.")
needs_proc = pytest.mark.skipif(not Path("/proc").exists(), reason="This system has no /proc.")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short folder that every user may enter, as pytest's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="lectorium-", dir=QUICK))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def new_server(folder: Path) -> Iterator[EmbeddedPostgres]:
    """Never started before."""
    server = EmbeddedPostgres(folder / "state", refuge=folder / "refuge")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def state() -> Iterator[Path]:
    """A state folder whose server was started and stopped once; it does not wait for the disk."""
    with tempfile.TemporaryDirectory(prefix="lectorium-", dir=QUICK) as folder:
        Path(folder).chmod(0o755)
        server = EmbeddedPostgres(Path(folder) / "state")
        server.ensure_running()
        ask(server, "ALTER SYSTEM SET fsync = off")
        server.stop()
        yield server.state_dir


@pytest.fixture
def server(new_server: EmbeddedPostgres, state: Path) -> EmbeddedPostgres:
    """Stopped, but started before: spares the test the making of a data folder."""
    subprocess.run(["cp", "-a", state, new_server.state_dir], check=True)
    return new_server


def connect(server: EmbeddedPostgres) -> psycopg.Connection:
    address = server.address
    return psycopg.connect(
        host=str(address.socket_dir), port=address.port, user=address.user, dbname=address.database, autocommit=True
    )


def ask(server: EmbeddedPostgres, query: str) -> object:
    with connect(server) as connection:
        cursor = connection.execute(query)
        return cursor.fetchone()[0] if cursor.description else None


def kill_server(server: EmbeddedPostgres) -> None:
    pid = server.status().pid
    assert pid
    os.kill(pid, signal.SIGKILL)


def start_elsewhere(server: EmbeddedPostgres, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*prefix, sys.executable, "-c", START, server.state_dir], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )


def test_the_address_is_known_before_the_server_runs(server):
    address = server.address
    assert (address.user, address.database) == ("lectorium", "lectorium")
    assert server.ensure_running() == address
    assert (address.socket_dir / f".s.PGSQL.{address.port}").is_socket()


def test_asking_for_the_address_and_status_creates_nothing(new_server):
    assert not new_server.status().is_running
    assert not new_server.state_dir.exists()


def test_a_first_start_makes_a_unicode_database_with_the_extensions_search_needs(new_server):
    new_server.ensure_running()
    with connect(new_server) as connection:
        for extension in ("vector", "pg_trgm", "unaccent"):
            connection.execute(f"CREATE EXTENSION {extension}")
    assert ask(new_server, "SHOW server_encoding") == "UTF8"
    assert ask(new_server, "SELECT datlocale FROM pg_database WHERE datname = current_database()") == "C.UTF-8"
    assert ask(new_server, "SELECT lower('ŚĀNTI')") == "śānti"
    assert ask(new_server, "SELECT unaccent('śānti')") == "santi"
    assert ask(new_server, "SELECT '[1,0]'::halfvec <=> '[0,1]'::halfvec") == 1.0


def test_the_server_listens_nowhere_but_in_a_folder_closed_to_others(server):
    server.ensure_running()
    assert ask(server, "SHOW listen_addresses") == ""
    assert server.address.socket_dir.stat().st_mode & 0o777 == 0o700
    assert server.status().data.stat().st_mode & 0o777 == 0o700


def test_a_second_start_finds_the_running_server(server):
    server.ensure_running()
    first = server.status()
    began = time.monotonic()
    EmbeddedPostgres(server.state_dir).ensure_running()
    assert time.monotonic() - began < 1
    assert server.status() == first


@pytest.mark.slow
def test_processes_that_start_at_once_share_one_server(new_server):
    starters = [start_elsewhere(new_server) for _ in range(3)]
    pids = {starter.communicate(timeout=60)[0] for starter in starters}
    assert pids == {f"{new_server.status().pid}\n"}


def test_a_database_dropped_by_hand_is_made_again(server):
    server.ensure_running()
    address = server.address
    with psycopg.connect(host=str(address.socket_dir), user=address.user, dbname="postgres", autocommit=True) as other:
        other.execute("DROP DATABASE lectorium")
    server.ensure_running()
    assert ask(server, "SELECT current_database()") == "lectorium"


def test_a_killed_server_is_replaced_and_keeps_what_was_committed(server):
    server.ensure_running()
    with connect(server) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 108 AS number")
    kill_server(server)
    server.ensure_running()
    assert ask(server, "SELECT number FROM kept") == 108


@pytest.mark.slow
@needs_proc
def test_a_start_waits_for_the_last_query_of_a_killed_server(server):
    server.ensure_running()
    with connect(server) as connection:
        orphan = connection.info.backend_pid
        long_query = "SELECT sum(sqrt(n)) FROM generate_series(1, 5000000) n"
        worker = threading.Thread(target=connection.execute, args=[long_query])
        worker.start()
        time.sleep(0.2)
        kill_server(server)
        assert orphan in postmaster.serving_pids(server.place), "the query ended too early to test anything"
        server.ensure_running()
        assert orphan not in postmaster.serving_pids(server.place)
        worker.join()
    assert ask(server, "SELECT 1") == 1


@pytest.mark.slow
@needs_root
@pytest.mark.skipif(not shutil.which("setpriv"), reason="setpriv is not installed.")
def test_root_without_the_right_to_look_at_others_finds_a_killed_server_too(server):
    """As in a container, where root lacks the capability to trace processes."""
    restrict = ("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace")
    with start_elsewhere(server, restrict) as starter:
        assert starter.communicate(timeout=60)[0]
    first = server.status().pid
    with start_elsewhere(server, restrict) as starter:
        assert starter.communicate(timeout=60)[0] == f"{first}\n"
    kill_server(server)
    with start_elsewhere(server, restrict) as starter:
        assert starter.communicate(timeout=60)[0] not in ("", f"{first}\n")


@pytest.mark.slow
def test_a_start_killed_half_way_leaves_nothing_half_made(new_server):
    with start_elsewhere(new_server) as starter:
        while not list(new_server.state_dir.glob("data.new-*/base")):
            time.sleep(0.01)
        starter.kill()
    assert not (new_server.state_dir / "data").exists()
    new_server.ensure_running()
    assert ask(new_server, "SELECT 1") == 1
    new_server.stop()
    new_server.ensure_running()
    assert not list(new_server.state_dir.glob("data.new-*"))


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("owner", ["a living program", "a zombie"])
def test_a_stale_pid_file_whose_number_went_to_another_process_is_seen_through(server, owner):
    server.ensure_running()
    socket_lock = server.address.socket_dir / ".s.PGSQL.5432.lock"
    pid_file = server.status().data / "postmaster.pid"
    stale = pid_file.read_text()
    socket_stale = socket_lock.read_text()
    pid = server.status().pid
    server.stop()
    with subprocess.Popen(["true" if owner == "a zombie" else "cat"], stdin=subprocess.PIPE) as other:
        pid_file.write_text(stale.replace(str(pid), str(other.pid), 1))
        socket_lock.write_text(socket_stale.replace(str(pid), str(other.pid), 1))
        time.sleep(0.1)
        assert not server.status().is_running
        server.ensure_running()
        assert server.status().pid not in (pid, other.pid)
        assert other.stdin
        other.stdin.close()


def test_a_data_folder_of_another_major_version_is_left_alone(server):
    server.ensure_running()
    server.stop()
    version = server.status().data / "PG_VERSION"
    version.write_text("15\n")
    with pytest.raises(
        PostgresError, match=r"was made by PostgreSQL 15, the installed server is \d+.*backup FILE.*restore FILE"
    ):
        server.ensure_running()
    assert version.read_text() == "15\n"


def test_a_folder_full_of_something_else_is_left_alone(new_server):
    foreign = new_server.state_dir / "data" / "diary.txt"
    foreign.parent.mkdir(parents=True)
    foreign.touch()
    with pytest.raises(PostgresError, match="is not a PostgreSQL data folder"):
        new_server.ensure_running()
    assert foreign.exists()


def test_a_failed_start_quotes_the_end_of_the_log(server):
    server.ensure_running()
    server.stop()
    with (server.status().data / "postgresql.auto.conf").open("a") as settings:
        settings.write("work_mem = 'much'\n")
    with pytest.raises(PostgresError, match=r'did not start(.|\n)*invalid value for parameter "work_mem"'):
        server.ensure_running()


def test_a_socket_folder_open_to_others_is_refused(server):
    server.ensure_running()
    server.stop()
    server.address.socket_dir.chmod(0o755)
    with pytest.raises(PostgresError, match="closed to others"):
        server.ensure_running()


@pytest.mark.slow
def test_a_state_folder_too_deep_for_a_socket_gets_a_short_socket_path(folder, state):
    server = EmbeddedPostgres(folder / ("deep" * 20) / "state")
    server.state_dir.parent.mkdir()
    subprocess.run(["cp", "-a", state, server.state_dir], check=True)
    server.ensure_running()
    short = server.address.socket_dir
    try:
        assert len(os.fsencode(short)) < 60
        assert ask(server, "SELECT 1") == 1
        assert server.status().data.is_relative_to(folder)
    finally:
        server.stop()
    assert not short.exists()


@pytest.mark.slow
def test_a_state_folder_with_odd_letters_works(folder, state):
    server = EmbeddedPostgres(folder / "it's Bhakti — लेख")
    subprocess.run(["cp", "-a", state, server.state_dir], check=True)
    server.ensure_running()
    assert server.stop()


def test_stop_ends_the_server_and_says_whether_one_ran(server):
    assert not server.stop()
    server.ensure_running()
    assert server.stop()
    assert not server.status().is_running
    assert not server.stop()


def test_stop_ends_a_server_with_clients(server):
    server.ensure_running()
    with connect(server) as connection:
        assert server.stop()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_a_container_with_little_shared_memory_gets_it_from_files(server, monkeypatch, tmp_path):
    monkeypatch.setattr(configuration, "SHARED_MEMORY", tmp_path / "absent")
    server.ensure_running()
    assert ask(server, "SHOW dynamic_shared_memory_type") == "mmap"


def test_without_proc_the_recorded_process_counts_while_it_lives(server, monkeypatch, tmp_path):
    monkeypatch.setattr(postmaster, "PROCESSES", tmp_path / "absent")
    server.ensure_running()
    assert postmaster.serving_pids(server.place) == {server.status().pid}
    assert server.stop()
    assert postmaster.serving_pids(server.place) == frozenset()


@needs_root
def test_root_hands_the_server_to_an_ordinary_user(server):
    server.ensure_running()
    assert server.status().data.stat().st_uid != 0
    assert Path(f"/proc/{server.status().pid}").stat().st_uid != 0


@pytest.mark.slow
@needs_root
def test_under_a_private_home_root_keeps_data_and_programs_where_the_server_can_reach_them(folder, caplog):
    home = folder / "home"
    home.mkdir(mode=0o700)
    package = home / PACKAGE
    shutil.copytree(package_folder(), package)
    shutil.copytree(package_folder().parent / LIBRARIES, home / LIBRARIES)
    server = EmbeddedPostgres(home / "project" / "state", refuge=folder / "refuge", package=package)
    server.ensure_running()
    try:
        assert server.status().data.is_relative_to(folder / "refuge")
        assert ask(server, "SELECT 1") == 1
        assert f"the data lies in {folder / 'refuge'}" in caplog.text
        assert f"copying the programs to {folder / 'refuge'}" in caplog.text
        assert home.stat().st_mode & 0o777 == 0o700
        assert not (home / "project").exists()
    finally:
        server.stop()
    again = EmbeddedPostgres(server.state_dir, refuge=server.refuge)
    home.chmod(0o755)
    assert again.status().data == server.status().data, "opening the home later must not hide the data"


def run_as_nobody(server: EmbeddedPostgres, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script as an ordinary user, with the first Python that this user may run."""
    environment = {"PYTHONPATH": f"{PROJECT}:{SITE_PACKAGES}", "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.defpath}
    wanted = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for python in (sys.executable, f"/usr/local/bin/{wanted}", f"/usr/bin/{wanted}"):
        try:
            trial, done = (
                subprocess.run(
                    [python, "-c", text, server.state_dir],
                    env=environment,
                    cwd="/",
                    user=NOBODY,
                    group=NOBODY,
                    extra_groups=[],
                    capture_output=True,
                    text=True,
                )
                for text in ("import lectorium, psycopg", script)
            )
        except OSError:
            continue
        if trial.returncode == 0:
            return done
    pytest.skip("No Python here can be run by an ordinary user.")


@pytest.mark.slow
@needs_root
def test_an_ordinary_user_runs_a_server_of_their_own_which_root_may_use_and_stop(folder):
    private = folder / "of-nobody"
    private.mkdir(mode=0o700)
    os.chown(private, NOBODY, NOBODY)
    server = EmbeddedPostgres(private / "state")
    started = run_as_nobody(server, START)
    assert started.returncode == 0, started.stderr
    assert Path(f"/proc/{int(started.stdout)}").stat().st_uid == NOBODY
    assert ask(server, "SELECT current_user") == "lectorium"
    assert server.stop()
    server.ensure_running()
    assert Path(f"/proc/{server.status().pid}").stat().st_uid == NOBODY
    assert server.stop()
    again = run_as_nobody(server, START)
    assert again.returncode == 0, again.stderr
    assert server.stop()


@pytest.mark.slow
@needs_root
def test_an_ordinary_user_is_told_whose_the_data_folder_is(server):
    server.ensure_running()
    refused = run_as_nobody(server, START)
    assert refused.returncode
    assert f"belongs to uid {server.status().data.stat().st_uid}, this process runs as nobody" in refused.stderr
