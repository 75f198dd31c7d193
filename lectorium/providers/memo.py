import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Memo(Generic[Key, Value]):
    """A thread-safe LRU cache of at most `most` values."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, keys: Sequence[Key], compute: Callable[[Sequence[Key]], Sequence[Value]]) -> list[Value]:
        """One value per key, in order; `compute` returns those of the missing keys in one call.

        If it raises, nothing is cached.
        """
        with self._lock:
            known = {key: self._values[key] for key in keys if key in self._values}
        new = [key for key in dict.fromkeys(keys) if key not in known]
        if new:
            known |= zip(new, compute(new), strict=True)
        with self._lock:
            for key in keys:
                self._values[key] = known[key]
                self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return [known[key] for key in keys]
