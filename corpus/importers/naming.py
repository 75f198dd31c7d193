"""Names that a disk takes."""

import hashlib
from pathlib import PurePath

BYTES = 255  # of a name in a folder


def file_name(name: str) -> str:
    """Return a file's name, its stem cut where it has too many bytes; of distinct names the cut ones are distinct.

    Names that differ only in their ending stay so, because a recording is found by the stem of its transcript.
    """
    path = PurePath(name)
    if len(name.encode()) <= BYTES:
        return name
    mark = hashlib.sha256(path.stem.encode()).hexdigest()[:8]
    return f"{path.stem.encode()[: BYTES - 60].decode(errors='ignore')} {mark}{path.suffix[:10]}"
