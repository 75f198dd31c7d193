"""Stores recordings under names that include their digest, so that a changed one gets a new name."""

import hashlib
from contextlib import suppress
from pathlib import Path

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.text import slugify

from corpus.importers.recording import seconds_of
from corpus.importers.refusal import ImportRefused
from corpus.models import Lecture

FOLDER = "lectures"


def recording_digest(path: Path | None) -> str:
    """SHA-256 in hex of a recording, "" for none. Raises ImportRefused where it is unreadable."""
    if path is None:
        return ""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ImportRefused(f"has a recording that cannot be read ({path.name}: {error.strerror})") from error


def recording_store(*, lecture: Lecture, path: Path) -> None:
    """Copy the recording into storage and set it on `lecture`, unsaved. The old file is deleted on commit."""
    before = lecture.media.name or ""
    lecture.media = _stored(lecture.key, path)
    lecture.media_seconds = seconds_of(path)
    if before and before != lecture.media.name:
        transaction.on_commit(lambda: _delete_unused(before))


def _stored(key: str, path: Path) -> str:
    name = f"{FOLDER}/{slugify(key)[:80] or 'lecture'}-{recording_digest(path)[:16]}{path.suffix.lower()}"
    try:
        if _is_whole(name, path):
            return name
        default_storage.delete(name)
        with path.open("rb") as file:
            return default_storage.save(name, File(file))
    except OSError as error:
        with suppress(OSError):
            default_storage.delete(name)
        raise ImportRefused(f"has a recording that cannot be copied ({path.name}: {error.strerror})") from error


def _is_whole(name: str, path: Path) -> bool:
    """Whether the stored file is complete; a full disk or a kill leaves a partial one."""
    return default_storage.exists(name) and default_storage.size(name) == path.stat().st_size


def _delete_unused(name: str) -> None:
    if not Lecture.objects.filter(media=name).exists():
        default_storage.delete(name)
