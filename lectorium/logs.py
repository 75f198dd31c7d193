"""Log formats: plain lines, or one JSON object per line that names the turn. Both mask the secrets of the settings.

Standard logging does all of it, so that lines of libraries look alike. JSON lines are collected, so they contain an
exception's type and place but not its message, which may repeat what a reader asked.
"""

import json
import logging
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SHORTEST = 6  # characters; shorter secrets would match inside ordinary words
FRAMES = 12  # of a traceback, the innermost

_about: ContextVar[Mapping[str, str] | None] = ContextVar("about", default=None)


def log_about(**ids: object) -> None:
    """Add these ids to every later log line of this task, and of the tasks and threads it starts."""
    _about.set({name: str(value) for name, value in ids.items()})


class LineFormatter(logging.Formatter):
    def __init__(self, fmt: str | None = None, secrets: Sequence[str] = ()) -> None:
        super().__init__(fmt)
        self._secrets = sorted({secret for secret in secrets if len(secret) >= SHORTEST}, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        return self.masked(super().format(record))

    def masked(self, said: str) -> str:
        """The text with every secret masked."""
        for secret in self._secrets:
            said = said.replace(secret, "•••")
        return said


class JsonFormatter(LineFormatter):
    """{"time", "level", "logger", "message", "exception"?: {"type", "at"}}, `log_about`'s ids, a record's `facts`."""

    def format(self, record: logging.LogRecord) -> str:
        values: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **(_about.get() or {}),
            **getattr(record, "facts", {}),
        }
        values = {name: self.masked(value) if isinstance(value, str) else value for name, value in values.items()}
        if record.exc_info and record.exc_info[1]:
            values["exception"] = _exception(record.exc_info[1])
        return json.dumps(values, ensure_ascii=False, default=str)


def _exception(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    at = [f"{'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno} {frame.name}" for frame in frames]
    return {"type": " from ".join(_types(error)), "at": at}


def _types(error: BaseException | None) -> Iterator[str]:
    while error:
        yield type(error).__name__
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
