"""The system user that runs the server, and the paths it can reach."""

import os
import pwd
import stat
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lectorium.postgres.errors import PostgresError

UNPRIVILEGED_USERS = ("postgres", "nobody")


@dataclass(frozen=True)
class Account:
    """The user that owns the data folder and runs the server's programs."""

    uid: int
    gid: int

    def __str__(self) -> str:
        try:
            return pwd.getpwuid(self.uid).pw_name
        except KeyError:
            return f"uid {self.uid}"

    @property
    def is_other(self) -> bool:
        """Whether root runs the programs as another user."""
        return self.uid != os.geteuid()

    def can_reach(self, path: Path) -> bool:
        """Whether this user may enter every folder down to `path` (absolute) and execute it if it is a file.

        Only checked for root, by mode bits; access control lists are ignored.
        """
        if not self.is_other:
            return True
        return all(self._may_execute(step) for step in (path, *path.parents) if step.exists())

    def _may_execute(self, path: Path) -> bool:
        status = path.stat()
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)

    def run(self, command: Sequence[str | Path], *, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run a program as this user in `folder`; output and errors are merged in `stdout`.

        The environment is minimal, so that no PG* variable or locale reaches the server.
        """
        try:
            return subprocess.run(
                [str(word) for word in command],
                cwd=folder,
                env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
                umask=0o077,
                user=self.uid if self.is_other else None,
                group=self.gid if self.is_other else None,
                extra_groups=[] if self.is_other else None,
            )
        except OSError as error:
            raise PostgresError(f"Cannot run {command[0]} as {self}: {error}.") from error

    def give(self, descriptor: int) -> None:
        if self.is_other:
            os.fchown(descriptor, self.uid, self.gid)


def account_for(data: Path) -> Account:
    """The user that runs the server on the data folder `data`, which may not exist yet.

    PostgreSQL refuses to run as root, so root switches to the owner of the data folder or to an unprivileged user.
    """
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid())
    if data.exists() and (status := data.stat()).st_uid != 0:
        return Account(status.st_uid, status.st_gid)
    for name in UNPRIVILEGED_USERS:
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(user.pw_uid, user.pw_gid)
    raise PostgresError(
        f"PostgreSQL does not run as root and this system has none of the users {', '.join(UNPRIVILEGED_USERS)}. "
        "Run as an ordinary user, or set DATABASE_URL."
    )
