"""Cancels model calls: models check the stop signal between passes."""

import contextvars
import threading
from contextvars import Token

Signal = threading.Event
_signal: contextvars.ContextVar[Signal | None] = contextvars.ContextVar("stop_signal", default=None)


class StoppedError(RuntimeError):
    """The caller cancelled; the remaining rows were not computed."""


def listen(signal: Signal) -> Token[Signal | None]:
    """Stop model calls of this context once `signal` is set; returns the token for a reset."""
    return _signal.set(signal)


def current() -> Signal | None:
    return _signal.get()


def check(wait: float = 0.0) -> None:
    """Wait `wait` seconds. Raises StoppedError once this context's signal is set."""
    if (current() or Signal()).wait(wait):
        raise StoppedError("the caller cancelled")
