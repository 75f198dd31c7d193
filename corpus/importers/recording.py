"""A recording without a transcript. It is imported and waits for one."""

import math
from collections.abc import Iterator
from pathlib import Path

from tinytag import TinyTag
from tinytag.tinytag import TinyTagException

from .drafts import LectureDraft
from .limits import MEGABYTE, UPLOAD_LIMIT
from .protocol import AUDIO, SourceFile
from .refusal import ImportRefused

NAME = "recording"
WEBM = b"\x1a\x45\xdf\xa3"  # how Matroska begins, and so WebM


def recognizes(file: SourceFile) -> bool:
    return file.ending in AUDIO


def read(file: SourceFile) -> Iterator[LectureDraft]:
    if (size := file.path.stat().st_size) > UPLOAD_LIMIT:
        raise ImportRefused(
            f"is {size // MEGABYTE} MB; a recording may have {UPLOAD_LIMIT // MEGABYTE} MB, so export it smaller, "
            "for instance as MP3 in mono"
        )
    if not (file.head.startswith(WEBM) if file.ending == ".webm" else seconds_of(file.path)):
        raise ImportRefused(f"is named {file.ending} but has no readable audio; export the recording again")
    yield LectureDraft(file.name, file.key, file.title, (), media=file.path)


def seconds_of(path: Path) -> float | None:
    """A recording's length from its headers; None where they do not state it, and for WebM, which is not read."""
    try:
        seconds = TinyTag.get(path, tags=False).duration
    except (TinyTagException, OSError, ValueError, ArithmeticError, LookupError, TypeError):
        return None
    return seconds if seconds and math.isfinite(seconds) and seconds > 0 else None
