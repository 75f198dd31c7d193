"""Unpacks ZIP archives safely."""

import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from django.conf import settings

from .limits import MEGABYTE, file_bytes
from .protocol import AUDIO
from .refusal import ImportRefused, quoted_error

ENTRIES_LIMIT = 5000
UNPACKED_LIMIT = 2048 * MEGABYTE  # of a whole archive; recordings are large
RATIO_LIMIT = 100  # text compresses about 20 times, a zip bomb about 1,000 times
SMALL = 1 * MEGABYTE  # below this the ratio of an entry is not checked
SMALL_ARCHIVE = 8 * MEGABYTE  # unpacked; below this the ratio of the archive is not checked
_BLOCK = 256 * 1024
_SKIPPED = ("__MACOSX", ".DS_Store", "Thumbs.db")


@dataclass(slots=True)
class _Room:
    """The bytes that a limit, in words, still leaves."""

    limit: str
    left: int
    for_recordings: bool = True


def is_archive(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unpack(path: Path, folder: Path) -> None:
    """Unpack an archive into an empty folder.

    Raises ImportRefused, naming the entry, where one escapes the folder, has a password, is too large or is an archive
    itself. Limits apply to the bytes actually written, not to the sizes the archive claims.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _unpack_all(archive, folder, packed=path.stat().st_size)
    except ImportRefused:
        raise
    except Exception as error:  # decoders raise anything on a broken archive; bz2 raises OSError without errno
        if isinstance(error, OSError) and error.errno:
            said = f"cannot be unpacked ({error.strerror}); check the free space and the length of its names"
            raise ImportRefused(said) from error
        reason = quoted_error(error) or type(error).__name__
        raise ImportRefused(f"is a ZIP archive that cannot be unpacked ({reason}); pack it again") from error


def _unpack_all(archive: zipfile.ZipFile, folder: Path, packed: int) -> None:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if any(entry.filename == "[Content_Types].xml" for entry in entries):
        raise ImportRefused("is an office document; save it as .txt, .md or .pdf")
    if len(entries) > ENTRIES_LIMIT:
        raise ImportRefused(f"holds {len(entries)} files; the limit is {ENTRIES_LIMIT}, so split it")
    rooms = [
        _Room(f"{RATIO_LIMIT} times its packed size", max(SMALL_ARCHIVE, packed * RATIO_LIMIT)),
        _Room(f"{UNPACKED_LIMIT // MEGABYTE:,} MB", UNPACKED_LIMIT),
        _Room(f"{settings.FILE_MB} MB of text (LECTORIUM_FILE_MB)", file_bytes(), for_recordings=False),
    ]
    for entry in entries:
        inside = _place(entry)
        if any(part in _SKIPPED or part.startswith("._") for part in inside.parts):
            continue
        own = _Room(f"{RATIO_LIMIT} times its packed size", max(SMALL, entry.compress_size * RATIO_LIMIT))
        taken = [own, *(room for room in rooms if room.for_recordings or inside.suffix.lower() not in AUDIO)]
        size = _write(archive, entry, folder / inside, min(taken, key=lambda room: room.left))
        for room in taken:
            room.left -= size


def _place(entry: zipfile.ZipInfo) -> PurePosixPath:
    name = entry.filename.replace("\\", "/")
    inside = PurePosixPath(name)
    if not inside.parts:
        raise ImportRefused(f"holds {_shown(entry)}, which names no file; pack it again")
    if inside.is_absolute() or ".." in inside.parts or ":" in inside.parts[0] or not name.isprintable():
        raise ImportRefused(f"holds {_shown(entry)}, which would be written elsewhere; pack it again")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise ImportRefused(f"holds {_shown(entry)}, which is a link; pack the file itself")
    if entry.flag_bits & 1:
        raise ImportRefused(f"holds {_shown(entry)}, which has a password; pack it without one")
    return inside


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, room: _Room) -> int:
    """Unpack one entry and return its size in bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as packed, target.open("wb") as unpacked:
        size = _copy(packed, unpacked, room.left)
    if size is None:
        raise ImportRefused(f"unpacks to more than {room.limit}, at {_shown(entry)}; split it")
    with target.open("rb") as written:
        if is_archive(written.read(4)):
            raise ImportRefused(f"holds {_shown(entry)}, which is an archive itself; unpack it first")
    return size


def _copy(packed: IO[bytes], unpacked: IO[bytes], allowed: int) -> int | None:
    """The bytes copied; None where they exceed `allowed`."""
    size = 0
    while block := packed.read(_BLOCK):
        size += len(block)
        if size > allowed:
            return None
        unpacked.write(block)
    return size


def _shown(entry: zipfile.ZipInfo) -> str:
    return repr(entry.filename[:120])
