"""Spans of one text: characters [start, end)."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Protocol, TypeVar


class HasSpan(Protocol):
    """Anything that knows where it begins and ends."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


S = TypeVar("S", bound=HasSpan)


def within(spans: Sequence[S], start: int, end: int) -> Sequence[S]:
    """Return the spans, in order and apart, that share a character with [start, end)."""
    first = bisect_right(spans, start, key=lambda span: span.end)
    return spans[first : bisect_left(spans, end, first, key=lambda span: span.start)]
