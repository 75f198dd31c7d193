"""The archive: an uncompressed ZIP, since dumps and recordings are compressed already."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from zipfile import ZIP_STORED, BadZipFile, ZipFile

from operations.backup.errors import BackupError
from operations.backup.manifest import DUMP, Manifest, Member, manifest_of

MANIFEST = "manifest.json"
BLOCK_BYTES = 1 << 20
MANIFEST_BYTES = 64 << 20


class Writer:
    """Adds members and records their digests in `members`."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self.members: dict[str, Member] = {}

    def add(self, name: str, blocks: Iterable[bytes]) -> None:
        digest, size = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as member:
            for block in blocks:
                member.write(block)
                digest.update(block)
                size += len(block)
        self.members[name] = Member(digest.hexdigest(), size)

    def describe(self, manifest: Manifest) -> None:
        self._archive.writestr(MANIFEST, manifest.as_json())


@contextmanager
def written(path: Path) -> Iterator[Writer]:
    """Write an archive readable by its owner only. It is renamed into place once complete and on disk."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            with ZipFile(file, "w", ZIP_STORED) as archive:
                yield Writer(archive)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class Archive:
    """An archive whose members have been verified."""

    def __init__(self, archive: ZipFile, manifest: Manifest) -> None:
        self._archive, self.manifest = archive, manifest

    def names(self, top: str) -> list[str]:
        """The names of the members in a folder."""
        return [name for name in self.manifest.members if name.startswith(f"{top}/")]

    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(name)


@contextmanager
def opened(path: Path, say: Callable[[str], object]) -> Iterator[Archive]:
    """Open an archive after verifying every member against the manifest. Raises BackupError."""
    try:
        with ZipFile(path) as archive:
            manifest = _manifest(path, archive)
            say(f"Checking {len(manifest.members)} files of {path.name}")
            for name, member in manifest.members.items():
                if not _is_whole(archive, name, member):
                    raise BackupError(
                        f"{name} in {path} does not match the manifest: the backup was changed or damaged."
                    )
            yield Archive(archive, manifest)
    except BadZipFile:
        raise BackupError(f"{path} is not a backup, or is truncated or damaged.") from None


def _manifest(path: Path, archive: ZipFile) -> Manifest:
    there = archive.infolist()
    names = [info.filename for info in there]
    plain = all(info.compress_type == ZIP_STORED and not info.flag_bits & 1 for info in there)
    if MANIFEST not in names or not plain or archive.getinfo(MANIFEST).file_size > MANIFEST_BYTES:
        raise BackupError(f"{path} is not a Lectorium backup.")
    manifest = manifest_of(archive.read(MANIFEST))
    if DUMP not in manifest.members or sorted(names) != sorted([MANIFEST, *manifest.members]):
        raise BackupError(f"{path} does not contain the files that its manifest names.")
    return manifest


def _is_whole(archive: ZipFile, name: str, member: Member) -> bool:
    if archive.getinfo(name).file_size != member.bytes:
        return False
    with archive.open(name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == member.sha256  # type: ignore[arg-type]


def blocks_of(file: IO[bytes]) -> Iterator[bytes]:
    while block := file.read(BLOCK_BYTES):
        yield block
