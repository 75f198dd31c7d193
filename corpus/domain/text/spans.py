"""Spans [start, end) of characters."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Protocol, TypeVar


class HasSpan(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


S = TypeVar("S", bound=HasSpan)


def within(spans: Sequence[S], start: int, end: int) -> Sequence[S]:
    """The spans that share a character with [start, end). `spans` must be ordered and disjoint."""
    first = bisect_right(spans, start, key=lambda span: span.end)
    return spans[first : bisect_left(spans, end, first, key=lambda span: span.start)]
