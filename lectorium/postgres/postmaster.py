"""Finds the living processes of a data folder."""

import os
from dataclasses import dataclass
from pathlib import Path

from lectorium.postgres.place import PORT, Place

PROCESSES = Path("/proc")

# Every server process has its data folder as working directory. A shell of the server's user looks, because root
# in a container may not see the working directories of other users. A zombie has none.
_STANDING_IN = 'for cwd in /proc/[0-9]*/cwd; do [ "$cwd" -ef "$1" ] && echo "$cwd"; done; true'


@dataclass(frozen=True)
class PidFile:
    """The contents of `postmaster.pid`, which can outlive its process, whose number may be reused."""

    pid: int
    state: str
    """starting, ready, stopping or standby; empty while the file is being written."""


def read_pid_file(place: Place) -> PidFile | None:
    try:
        lines = (place.data / "postmaster.pid").read_text().splitlines()
        return PidFile(int(lines[0]), lines[7].strip() if len(lines) > 7 else "")
    except (FileNotFoundError, IndexError, ValueError):
        return None


def serving_pids(place: Place) -> frozenset[int]:
    """Living server processes of the data folder: the postmaster, its children, and orphans of a killed one."""
    if not place.data.exists():
        return frozenset()
    if not PROCESSES.exists():
        return _recorded_pid(place)
    found = place.account.run(["/bin/sh", "-c", _STANDING_IN, "sh", place.data], folder=place.home).stdout
    pids = (int(Path(line).parent.name) for line in found.splitlines() if line.startswith("/proc/"))
    return frozenset(pid for pid in pids if _program_of(pid) == "postgres")


def _program_of(pid: int) -> str:
    try:
        return (PROCESSES / str(pid) / "comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _recorded_pid(place: Place) -> frozenset[int]:
    """Without /proc: the recorded process, if any process has its number."""
    recorded = read_pid_file(place)
    if recorded is None:
        return frozenset()
    try:
        os.kill(recorded.pid, 0)
    except ProcessLookupError:
        return frozenset()
    except PermissionError:
        pass
    return frozenset({recorded.pid})


def clear_leftovers(place: Place) -> None:
    """Remove the files of a killed server; only call it if no process serves the data folder.

    PostgreSQL does not remove them if the process is a zombie or its number was reused.
    """
    socket = place.socket_dir / f".s.PGSQL.{PORT}"
    for path in (place.data / "postmaster.pid", socket, socket.with_name(f"{socket.name}.lock")):
        path.unlink(missing_ok=True)
