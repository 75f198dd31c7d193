"""Returns unused memory to the system: glibc keeps it, a gigabyte after a few dozen questions."""

import ctypes
import threading
import time
from collections.abc import Callable

EVERY = 60.0  # seconds; releasing a gigabyte takes a third of one


class MemoryRelease:
    """Calls `free` at most every EVERY seconds. Thread-safe."""

    def __init__(self, free: Callable[[], object], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._free, self._clock = free, clock
        self._next = clock() + EVERY
        self._lock = threading.Lock()

    def release_periodically(self) -> None:
        """Free unused memory, unless that happened within EVERY seconds or is under way."""
        if self._clock() < self._next or not self._lock.acquire(blocking=False):
            return
        try:
            self._free()
            self._next = self._clock() + EVERY
        finally:
            self._lock.release()


def _free_of_libc() -> Callable[[], object]:
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
    return (lambda: trim(0)) if trim else (lambda: None)


unused_memory = MemoryRelease(_free_of_libc())
