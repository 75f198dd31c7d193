"""Serves static files compressed. They are served from their folders, so the compressed copies lie beside the state."""

import gzip
import hashlib
import logging
import os
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

log = logging.getLogger(__name__)

TEXTS = ("text/", "application/javascript", "application/json", "image/svg+xml")
SMALLEST = 500  # bytes; below, a response of one network packet stays one

Headers = tuple[tuple[str, str], ...]


class CompressedStaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """Compresses a file when it is first asked for."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        *_, (_, path, headers) = static_file.alternatives  # the largest comes last: the file itself
        try:
            response: HttpResponseBase = WhiteNoiseMiddleware.serve(_compressed(path, tuple(headers)), request)
        except FileNotFoundError:  # somebody has tidied up the copies
            response = WhiteNoiseMiddleware.serve(static_file, request)
        return response


@cache
def _compressed(path: str, headers: Headers) -> StaticFile:
    """The file with its compressed copy, where that is smaller. A changed file has other headers."""
    own = [(name, value) for name, value in headers if name != "Content-Length"]
    kind = next((value for name, value in headers if name == "Content-Type"), "")
    copy = _copy_of(Path(path)) if kind.startswith(TEXTS) else None
    return StaticFile(path, own, encodings={"gzip": str(copy)} if copy else None)


def _copy_of(path: Path) -> Path | None:
    text = path.read_bytes()
    if len(text) < SMALLEST:
        return None
    copy: Path = settings.STATE_DIR / "static" / f"{hashlib.sha256(text).hexdigest()}.gz"
    try:
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            unfinished = copy.with_suffix(f".{os.getpid()}")
            unfinished.write_bytes(gzip.compress(text, mtime=0))
            unfinished.replace(copy)
    except OSError as error:
        log.warning("Static files are served uncompressed: %s", error)
        return None
    return copy
