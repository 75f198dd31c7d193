"""Reads from a replica (REPLICA_URL) where a short delay does no harm: look-ups."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS

_reading: ContextVar[bool] = ContextVar("reading from the replica", default=False)


@contextmanager
def replica_reads() -> Iterator[None]:
    """Send the reads of this block to the replica, if configured."""
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


class ReplicaRouter:
    """Django's database router: everything on the primary, except reads inside `replica_reads`."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return str(settings.LOOK_UP_DATABASE) if _reading.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS
