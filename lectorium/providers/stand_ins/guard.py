"""While the guard is closed, building a real model or opening a remote socket raises."""

from collections.abc import Iterator
from contextlib import contextmanager

_closed = False


class ModelForbidden(RuntimeError):
    """A test reached a real model without being marked for it."""


def check(what: str) -> None:
    """Raise ModelForbidden while the guard is closed; providers call it before they load or connect."""
    if _closed:
        raise ModelForbidden(f"{what} in a test that is not marked `model` or `network`; use a fake or mark the test.")


@contextmanager
def closed() -> Iterator[None]:
    global _closed
    before, _closed = _closed, True
    try:
        yield
    finally:
        _closed = before
