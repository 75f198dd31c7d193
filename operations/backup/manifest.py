"""The manifest of an archive, and its validation."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath

from pydantic import TypeAdapter

from operations.backup.errors import BackupError

FORMAT = 1
DUMP, MEDIA, CALIBRATIONS = "database.dump", "media", "calibrations"
Migration = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the archive: SHA-256 in hex, and size in bytes."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """made_at: ISO 8601. server, program: major versions of PostgreSQL and pg_dump. migrations: applied (app, name).

    space: the serving embedding space, or "". counts: rows by table.
    """

    made_at: str
    server: int
    program: int
    space: str
    migrations: tuple[Migration, ...]
    counts: Mapping[str, int]
    members: Mapping[str, Member]

    def as_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1)


def manifest_of(text: bytes) -> Manifest:
    """Parse a manifest. Raises BackupError if it is invalid, of another format, or names a foreign path."""
    try:
        values = json.loads(text)
        if values.pop("format") != FORMAT:
            raise BackupError("The backup has a format unknown to this release.")
        manifest = TypeAdapter(Manifest).validate_python(values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupError(f"The backup's manifest cannot be read: {type(error).__name__}.") from None
    for name in manifest.members:
        if not _is_allowed(name):
            raise BackupError(f"The backup names a file outside its folders: {name!r}.")
    return manifest


def _is_allowed(name: str) -> bool:
    path = PurePosixPath(name)
    top, *below = path.parts or ("",)
    if str(path) != name or ".." in below or "\\" in name or not name.isprintable():
        return False
    if top == CALIBRATIONS:
        return len(below) == 1 and path.suffix == ".json"
    return name == DUMP or (top == MEDIA and bool(below))
