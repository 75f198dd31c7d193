"""Files of weights: truncated and altered ones are named, with what to do."""

import hashlib
import json
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from lectorium.providers.errors import PermanentError

if TYPE_CHECKING:
    from torch import Tensor

RESTORE = "Restore it from the repository with git checkout, or train it again (training/README.md)."
_HEADER = struct.Struct("<Q")  # a safetensors file begins with the length of its JSON header
_LONGEST_HEADER = 100_000_000  # as the format allows


class DamagedWeights(PermanentError):
    """A file of weights is truncated or altered; the message names it and says what to do."""

    fault = "damaged_weights"


def is_whole(file: Path) -> bool:
    """Whether a safetensors file is there and as long as its header says; its contents are not read."""
    try:
        with file.open("rb") as opened:
            (length,) = _HEADER.unpack(opened.read(_HEADER.size))
            header = json.loads(opened.read(min(length, _LONGEST_HEADER)))
            size = os.fstat(opened.fileno()).st_size
        ends = [tensor["data_offsets"][1] for name, tensor in header.items() if name != "__metadata__"]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error):
        return False
    return bool(size == _HEADER.size + length + max(ends, default=0))


def load_weights(file: Path, remedy: str) -> "dict[str, Tensor]":
    """The tensors of a safetensors file. Raises DamagedWeights with this remedy, such as "Run `make install`"."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(file)
    except (SafetensorError, OSError, ValueError) as error:
        raise DamagedWeights(f"{file} is damaged or unreadable ({error}). {remedy}") from error


def sha256_of(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
