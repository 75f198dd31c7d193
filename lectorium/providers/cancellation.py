"""How a caller that no longer wants an answer reaches the models: they look here between passes and drop its work."""

import contextvars
import threading
from contextvars import Token

Signal = threading.Event
_signal: contextvars.ContextVar[Signal | None] = contextvars.ContextVar("stop_signal", default=None)


class StoppedError(RuntimeError):
    """The caller gave up; nothing of the rest was computed."""


def listen(signal: Signal) -> Token[Signal | None]:
    """Let model calls made in this context stop once `signal` is set; returns what `contextvars` resets by."""
    return _signal.set(signal)


def current() -> Signal | None:
    """Return the signal of this context, None where nobody can stop it."""
    return _signal.get()


def check(wait: float = 0.0) -> None:
    """Wait so many seconds; raises StoppedError once the signal of this context is set."""
    if (current() or Signal()).wait(wait):
        raise StoppedError("the caller stopped waiting")
