"""Reads that are made once while a question is answered: cheaper, and every stage sees the same state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_reads: ContextVar[dict[Any, Any] | None] = ContextVar("reads", default=None)  # threads of a turn share its dictionary


@contextmanager
def shared_reads() -> Iterator[None]:
    """Within the block, also on threads started by `in_thread`, a `read_once` function is called once an argument."""
    token = _reads.set({})
    try:
        yield
    finally:
        _reads.reset(token)


def read_once(function: Callable[P, T]) -> Callable[P, T]:
    """Remember what the function returns within `shared_reads`; its arguments must be hashable."""

    @wraps(function)
    def read(*args: P.args, **kwargs: P.kwargs) -> T:
        known = _reads.get()
        if known is None:
            return function(*args, **kwargs)
        key = (function, args, *sorted(kwargs.items()))
        if key not in known:
            known[key] = function(*args, **kwargs)
        found: T = known[key]
        return found

    return read
