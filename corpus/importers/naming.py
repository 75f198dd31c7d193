import hashlib
from pathlib import PurePath

BYTES = 255  # of a file name


def file_name(name: str) -> str:
    """`name`, its stem shortened and hashed if it has too many bytes, so that distinct names stay distinct.

    Names that differ only in their ending keep a common stem, because a recording is found by the stem of its
    transcript.
    """
    path = PurePath(name)
    if len(name.encode()) <= BYTES:
        return name
    mark = hashlib.sha256(path.stem.encode()).hexdigest()[:8]
    return f"{path.stem.encode()[: BYTES - 60].decode(errors='ignore')} {mark}{path.suffix[:10]}"
