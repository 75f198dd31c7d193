"""Runs pg_dump and pg_restore of a suitable version, with no password on the command line."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from psycopg.pq import Conninfo

from lectorium.postgres import PostgresError
from lectorium.postgres.programs import package_folder, programs_folder
from operations.backup.errors import BackupError

KEPT = ("PATH", "HOME", "LD_LIBRARY_PATH")


@dataclass(frozen=True, slots=True)
class Program:
    path: Path
    major: int


def server_major() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        return int(cursor.fetchone()[0]) // 10_000


def program_for(name: str, major: int) -> Program:
    """The program of this major version, else of the lowest later one. Raises BackupError without one.

    Looks in the embedded server first, then on the PATH.
    """
    found = [Program(path, _major(path)) for path in _paths(name)]
    fitting = [program for program in found if program.major >= major]
    if not fitting:
        here = ", ".join(f"{program.path} of {program.major}" for program in found) or "none"
        raise BackupError(
            f"PostgreSQL {major} needs {name} of version {major} or later on the PATH; found: {here}. "
            f"Install PostgreSQL's client programs, as postgresql-client-{major}."
        )
    return min(fitting, key=lambda program: program.major)


def _paths(name: str) -> Iterator[Path]:
    with suppress(PostgresError):
        yield programs_folder(package_folder()) / name
    if found := shutil.which(name):
        yield Path(found)


def _major(path: Path) -> int:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return 0
    number = re.search(r"\d+", said)
    return int(number.group()) if number else 0


@contextmanager
def running(program: Program, options: Sequence[str], database: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a program on a database while the block reads or writes its pipes. Raises BackupError where it fails."""
    parameters = parameters_of(database)
    bare = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment = {**bare, **_as_environment(parameters), "LC_ALL": "C"}
    command: list[str | Path] = [program.path, *options, "--no-password", "-d", database]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
        try:
            yield process
        except BrokenPipeError:  # the program ended; its error is read below
            pass
        except BaseException:
            process.kill()
            raise
        finally:
            _close(process)
        if process.returncode:
            errors.seek(0)
            said = " ".join(errors.read(2000).decode(errors="replace").split())
            raise BackupError(f"{program.path.name} failed: {_without(said, parameters.get('password'))}")


def _close(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.communicate()
    except BrokenPipeError:
        process.wait()


def parameters_of(database: str) -> dict[str, str]:
    """libpq parameters for another database of the server in use."""
    known = {option.keyword.decode() for option in Conninfo.get_defaults()}
    said = {**connection.get_connection_params(), "dbname": database}
    return {keyword: str(value) for keyword, value in said.items() if keyword in known and value is not None}


def _as_environment(parameters: Mapping[str, str]) -> dict[str, str]:
    named = {option.keyword.decode(): option.envvar for option in Conninfo.get_defaults()}
    return {name.decode(): parameters[word] for word, name in named.items() if name and word in parameters}


def _without(said: str, password: str | None) -> str:
    return said.replace(password, "…") if password else said
