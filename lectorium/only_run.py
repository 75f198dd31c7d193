"""Keeps a job from running twice at once, on any host; a killed process gives its lock back."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


def lock_of(job: str) -> int:
    return zlib.crc32(f"lectorium {job}".encode())


def wait_for_lock(job: str) -> None:
    """Wait for the lock of a job, and hold it until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock_of(job)])


@contextmanager
def only_run(job: str) -> Iterator[bool]:
    """Take the lock of a job; yields whether it was free."""
    key = lock_of(job)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        (ours,) = cursor.fetchone()
    try:
        yield ours
    finally:
        if ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])
