"""EmbeddedPostgres: starts the server on first use, waits for it, stops it."""

import fcntl
import logging
import os
import shlex
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lectorium.postgres.configuration import write_configuration
from lectorium.postgres.data_folder import USER, prepare_data
from lectorium.postgres.errors import PostgresError
from lectorium.postgres.place import PORT, Place, place_for
from lectorium.postgres.postmaster import clear_leftovers, read_pid_file, serving_pids
from lectorium.postgres.programs import package_folder, programs_folder, reachable_programs
from lectorium.postgres.server_log import log_since, open_log

DATABASE = "lectorium"
CONNECT_SECONDS = 10
START_SECONDS = 600  # crash recovery after a bulk load takes minutes
LEAVE_SECONDS = 60  # the backends of a killed server finish their queries first

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerAddress:
    """How clients connect: folder and port of the Unix socket, user, database."""

    socket_dir: Path
    port: int
    user: str
    database: str


@dataclass(frozen=True)
class ServerStatus:
    is_running: bool
    pid: int | None
    address: ServerAddress
    data: Path
    log: Path


@dataclass(frozen=True)
class EmbeddedPostgres:
    """The server for `state_dir`; constructing it has no side effects.

    refuge: the parent folder of its files if root's unprivileged user cannot enter `state_dir`. package: the folder of
    the pip package with the programs, by default the installed one.
    """

    state_dir: Path
    refuge: Path = Path("/var/lib")
    package: Path | None = None

    @cached_property
    def place(self) -> Place:
        """The server's files and user, the same in every process."""
        return place_for(self.state_dir, self.refuge)

    @property
    def address(self) -> ServerAddress:
        """The server's address; starts nothing."""
        return ServerAddress(self.place.socket_dir, PORT, USER, DATABASE)

    def program(self, name: str) -> Path:
        """The path of a client program such as psql or pg_dump."""
        return programs_folder(self._package) / name

    def ensure_running(self) -> ServerAddress:
        """Return once the server answers and its database exists; start and create them if needed.

        Among several processes one starts it and the others wait. Takes milliseconds if it runs, under a second for a
        first start, minutes for a recovery after a crash. Raises PostgresError with the reason and the end of the
        server's log.
        """
        if not self._answers():
            with self._alone():
                if not self._answers():
                    self._start()
                    self._create_database()
        return self.address

    def stop(self) -> bool:
        """Stop the server and disconnect its clients; True if it ran. Raises PostgresError."""
        with self._alone():
            recorded = read_pid_file(self.place)
            if recorded is None or recorded.pid not in serving_pids(self.place):
                return False
            self._pg_ctl("stop", "-m", "fast")
            if self.place.socket_dir.parent != self.place.home:
                shutil.rmtree(self.place.socket_dir, ignore_errors=True)
        return True

    def status(self) -> ServerStatus:
        """The current state; starts nothing."""
        is_running = self._answers()
        recorded = read_pid_file(self.place) if is_running else None
        pid = recorded.pid if recorded else None
        return ServerStatus(is_running, pid, self.address, self.place.data, self.place.log)

    @property
    def _package(self) -> Path:
        return self.package or package_folder()

    def _answers(self) -> bool:
        import psycopg  # takes a quarter of a second, which callers that only need the address avoid

        try:
            self._connect(DATABASE).close()
        except psycopg.OperationalError:
            return False
        return True

    def _connect(self, database: str) -> Any:
        import psycopg

        return psycopg.connect(
            host=str(self.place.socket_dir),
            port=PORT,
            user=USER,
            dbname=database,
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
        )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock for starting and stopping; the system releases that of a killed process."""
        try:
            self.place.check_owner()
            self.place.make_home()
            descriptor = self.place.open(self.place.lock, os.O_RDWR)
        except OSError as error:
            raise PostgresError(
                f"{self.place.account} cannot use {self.place.home}: {error}. Choose another state folder."
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _start(self) -> None:
        """Start the server, unless an existing one becomes ready."""
        if self._await_predecessor():
            return
        if self.place.home != self.state_dir.resolve():
            where = (self.place.account, self.state_dir, self.place.home)
            logger.warning("%s, who runs the database server for root, cannot enter %s: the data lies in %s", *where)
        programs = reachable_programs(self.place, self._package)
        prepare_data(self.place, programs)
        clear_leftovers(self.place)
        self.place.make_socket_dir()
        write_configuration(self.place)
        open_log(self.place)
        own_settings = f"-c config_file={shlex.quote(str(self.place.configuration))}"
        self._pg_ctl("start", "-l", self.place.log, "-o", own_settings)
        logger.info("started the database server in %s, run by %s", self.place.data, self.place.account)

    def _await_predecessor(self) -> bool:
        """Wait until no process serves the data folder (False) or its server is ready (True)."""
        give_up = time.monotonic() + LEAVE_SECONDS
        while pids := serving_pids(self.place):
            recorded = read_pid_file(self.place)
            if recorded and recorded.pid in pids and recorded.state == "ready":
                return True
            if recorded and recorded.pid in pids and recorded.state == "stopping":
                self._pg_ctl("stop", "-m", "fast")
            if time.monotonic() > give_up:
                raise PostgresError(
                    f"An earlier server still holds {self.place.data} and does not answer. "
                    f"End its processes {sorted(pids)} and start again. Its log is {self.place.log}."
                )
            time.sleep(0.1)
        return False

    def _pg_ctl(self, action: str, *options: str | Path) -> None:
        """Run pg_ctl. Raises PostgresError with the new lines of the server's log."""
        log_size = self.place.log.stat().st_size if self.place.log.exists() else 0
        pg_ctl = reachable_programs(self.place, self._package) / "pg_ctl"
        waiting = ("-D", self.place.data, "-s", "-w", "-t", str(START_SECONDS))
        ended = self.place.account.run([pg_ctl, action, *waiting, *options], folder=self.place.home)
        if ended.returncode:
            raise PostgresError(
                f"The database server in {self.place.data} did not {action}: {ended.stdout.strip()}\n"
                f"The end of its log, {self.place.log}:\n{log_since(self.place, log_size)}"
            )

    def _create_database(self) -> None:
        import psycopg

        try:
            with self._connect("postgres") as connection:
                known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
                if not known:
                    connection.execute(f'CREATE DATABASE "{DATABASE}"')
        except psycopg.Error as error:
            raise PostgresError(
                f"The database server in {self.place.data} runs but does not serve {self.place.socket_dir}: {error}"
            ) from error
