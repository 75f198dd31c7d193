"""What was computed lately, so that it is not computed again."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Memo(Generic[Key, Value]):
    """The values of the keys asked for last, at most `most` of them. Safe to share between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, keys: Sequence[Key], compute: Callable[[Sequence[Key]], Sequence[Value]]) -> list[Value]:
        """Return one value a key, in order; `compute` gives those of the keys that are not known, in one call.

        What it raises is raised, and nothing is remembered.
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
