import os

from lectorium.postgres.place import Place

MAX_BYTES = 16 * 1024**2
TAIL_LINES = 20


def open_log(place: Place) -> None:
    """Create the log, or rotate a large one; one old log is kept."""
    if place.log.exists() and place.log.stat().st_size > MAX_BYTES:
        place.log.replace(place.log.with_name(f"{place.log.name}.1"))
    os.close(place.open(place.log, os.O_WRONLY))


def log_since(place: Place, start: int) -> str:
    """The last lines written after byte `start`."""
    try:
        with place.log.open(errors="replace") as log:
            log.seek(start)
            return "".join(log.readlines()[-TAIL_LINES:]).strip()
    except FileNotFoundError:
        return ""
