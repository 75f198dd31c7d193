"""Recordings, uploads and calibrations of a backup."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

from operations.backup.archive import Archive, Writer, blocks_of
from operations.backup.manifest import CALIBRATIONS, MEDIA


def media_add(archive: Writer) -> int:
    """Add every stored file and return how many. Files deleted in the meantime are left out."""
    number = 0
    for name in _stored():
        try:
            with default_storage.open(name) as file:
                archive.add(f"{MEDIA}/{name}", blocks_of(file))
        except FileNotFoundError:
            continue
        number += 1
    return number


def calibrations_add(archive: Writer) -> None:
    for path in sorted(Path(settings.CALIBRATIONS_DIR).glob("*.json")):
        archive.add(f"{CALIBRATIONS}/{path.name}", [path.read_bytes()])


@contextmanager
def media_restored(archive: Archive) -> Iterator[None]:
    """Store the missing files; they are deleted again if the block fails.

    Names contain a digest or an import's id, so a file of the same name and content is the same file, and one of
    different content is a partial write.
    """
    added: list[str] = []
    try:
        for member in archive.names(MEDIA):
            name = member.removeprefix(f"{MEDIA}/")
            if default_storage.exists(name):
                if _digest(name) == archive.manifest.members[member].sha256:
                    continue
                default_storage.delete(name)
            added.append(name)
            with archive.open(member) as file:
                default_storage.save(name, File(file))
        yield
    except BaseException:
        for name in added:
            default_storage.delete(name)
        raise


def calibrations_restore(archive: Archive) -> list[str]:
    """Restore calibrations; return the names of those kept because they fit another cross-encoder.

    A newer release may ship another cross-encoder with its own calibration.
    """
    left = []
    for member in archive.names(CALIBRATIONS):
        path = Path(settings.CALIBRATIONS_DIR) / member.removeprefix(f"{CALIBRATIONS}/")
        with archive.open(member) as file:
            content = file.read()
        if path.exists() and path.read_bytes() == content:
            continue
        if path.exists() and _reader(path.read_bytes()) != _reader(content):
            left.append(path.name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        side = path.with_suffix(".new")
        side.write_bytes(content)
        side.replace(path)
    return left


def _stored(folder: str = "") -> Iterator[str]:
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:  # nothing was stored so far
        return
    before = f"{folder}/" if folder else ""
    yield from (before + name for name in sorted(files))
    for name in sorted(folders):
        yield from _stored(before + name)


def _digest(name: str) -> str:
    with default_storage.open(name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _reader(calibration: bytes) -> Any:
    try:
        return json.loads(calibration)["evidence"]["reader"]
    except (ValueError, KeyError, TypeError):
        return None
