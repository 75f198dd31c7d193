"""Paths of the server's files, derived from the state folder alone and so the same in every process."""

import os
import stat
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from lectorium.postgres.account import Account, account_for
from lectorium.postgres.errors import PostgresError

PORT = 5432
# Socket paths are limited to 107 bytes on Linux and 103 elsewhere; PostgreSQL also needs room for ".lock".
MAX_SOCKET_BYTES = 90
# Fixed, because TMPDIR and XDG_RUNTIME_DIR differ between a login shell and a service.
SHORT_PATHS = Path("/tmp")  # noqa: S108 - the folder made in it is private and its owner is checked


@dataclass(frozen=True)
class Place:
    """The folders and files of a server, and the user that runs it."""

    home: Path
    socket_dir: Path
    account: Account

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def log(self) -> Path:
        return self.home / "server.log"

    @property
    def lock(self) -> Path:
        return self.home / "lock"

    @property
    def configuration(self) -> Path:
        return self.home / "server.conf"

    def check_owner(self) -> None:
        """Raise PostgresError where the data folder belongs to another user."""
        if not self.data.exists():
            return
        owner = self.data.stat().st_uid
        if owner not in (self.account.uid, os.geteuid()):
            raise PostgresError(
                f"The data folder {self.data} belongs to uid {owner}, this process runs as {self.account}: "
                "run as its owner or as root, or choose another state folder."
            )

    def make_home(self) -> None:
        """Create the home folder if missing. Raises PostgresError where the server's user cannot enter it."""
        if self.account.is_other:
            _make_reachable(self.home)
        else:
            self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.account.can_reach(self.home):
            raise PostgresError(
                f"The user {self.account}, who runs the server for root, cannot enter {self.home}. Give that user "
                "access to the folders above it, or choose another state folder."
            )

    def make_socket_dir(self) -> None:
        """Create the socket's folder if missing. Raises PostgresError where others can enter it."""
        _make_private(self.socket_dir, self.account)

    def open(self, path: Path, flags: int) -> int:
        """Open or create a private file; returns its descriptor. Symbolic links are refused."""
        descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        self.account.give(descriptor)
        return descriptor


def place_for(state_dir: Path, refuge: Path) -> Place:
    """The place of the server for `state_dir`; creates nothing.

    As root, the server's user may be unable to enter `state_dir` (a clone in a private home); then its files are in a
    folder under `refuge`. A folder that already has data stays in use.
    """
    state_dir = state_dir.resolve()
    if os.geteuid() != 0:
        return Place(state_dir, _socket_dir(state_dir), account_for(state_dir))
    homes = (state_dir, refuge / f"lectorium-{_digest(state_dir)}")
    home = next((home for home in homes if (home / "data").exists()), None) or next(
        (home for home in homes if account_for(home / "data").can_reach(home)), None
    )
    if home is None:
        raise PostgresError(
            f"The user {account_for(state_dir / 'data')}, who runs the server for root, can enter neither "
            f"{homes[0]} nor {homes[1]}. Choose a state folder that user can enter, or set DATABASE_URL."
        )
    return Place(home, _socket_dir(home), account_for(home / "data"))


def _socket_dir(home: Path) -> Path:
    folder = home / "socket"
    too_long = len(os.fsencode(folder / f".s.PGSQL.{PORT}")) >= MAX_SOCKET_BYTES
    # libpq splits a host at commas.
    return SHORT_PATHS / f"lectorium-{_digest(home)}" if too_long or "," in str(folder) else folder


def _digest(path: Path) -> str:
    return sha256(os.fsencode(path)).hexdigest()[:12]


def _make_reachable(folder: Path) -> None:
    """Create a folder and its missing parents for root, readable by others.

    It is created with its final mode, in case another process looks at it meanwhile.
    """
    if folder.exists():
        return
    _make_reachable(folder.parent)
    side = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    side.chmod(0o755)
    try:
        side.rename(folder)
    except OSError:  # another process created it first
        side.rmdir()


def _make_private(folder: Path, account: Account) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if account.is_other and status.st_uid == os.geteuid():
        os.chown(folder, account.uid, account.gid, follow_symlinks=False)
        status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != account.uid or status.st_mode & 0o077:
        raise PostgresError(
            f"{folder} must be a folder that belongs to {account} and is closed to others (mode 0700), "
            "because it gives access to the database. Remove it and start again."
        )
