"""Keeps a process small: glibc keeps what is freed, a gigabyte after a few dozen questions."""

import ctypes
import threading
import time
from collections.abc import Callable

EVERY = 20.0  # seconds; releasing a gigabyte takes a third of one, and 200 MB gather in so long
ARENAS = 2  # of a process; by default each of some sixty threads may get one, and keeps 64 MB in it
_M_ARENA_MAX = -8  # malloc.h


class MemoryRelease:
    """Calls `free` at most every EVERY seconds. Thread-safe."""

    def __init__(self, free: Callable[[], object], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._free, self._clock = free, clock
        self._next = clock() + EVERY
        self._lock = threading.Lock()

    def release_periodically(self) -> None:
        """Free unused memory, unless that happened within EVERY seconds or is under way."""
        if self._clock() >= self._next:
            self.release()

    def release(self) -> None:
        """Free unused memory, unless that is under way."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            self._free()
            self._next = self._clock() + EVERY
        finally:
            self._lock.release()


def share_arenas() -> None:
    """Let all threads that start from now on share ARENAS arenas. Does nothing without glibc."""
    choose = getattr(ctypes.CDLL(None), "mallopt", None)
    if choose:
        choose(_M_ARENA_MAX, ARENAS)


def _free_of_libc() -> Callable[[], object]:
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
    return (lambda: trim(0)) if trim else (lambda: None)


unused_memory = MemoryRelease(_free_of_libc())
