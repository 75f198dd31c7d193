"""The server's own log, `server.log` in its home."""

import os

from lectorium.postgres.place import Place

MAX_BYTES = 16 * 1024**2
TAIL_LINES = 20


def open_log(place: Place) -> None:
    """Make the log, or begin a new one where it has grown; one old log is kept."""
    if place.log.exists() and place.log.stat().st_size > MAX_BYTES:
        place.log.replace(place.log.with_name(f"{place.log.name}.1"))
    os.close(place.open(place.log, os.O_WRONLY))


def log_since(place: Place, start: int) -> str:
    """The last lines that the log gained since it was `start` bytes long."""
    try:
        with place.log.open(errors="replace") as log:
            log.seek(start)
            return "".join(log.readlines()[-TAIL_LINES:]).strip()
    except FileNotFoundError:
        return ""
