"""Shares, means and AUROC with 95 % intervals."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95 % Wilson interval (Wilson 1927), which also holds for small counts and for zero."""

    hits: int
    total: int

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> "Share":
        listed = list(outcomes)
        return cls(sum(listed), len(listed))

    @property
    def value(self) -> float:
        """0..1; 0 for 0 of 0."""
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.value, self.total)

    def as_dict(self) -> dict[str, Any]:
        return {"hits": self.hits, "total": self.total, "rate": self.value, "interval": self.interval}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.hits}/{self.total} = {self.value:.2f} [{low:.2f}, {high:.2f}]"


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `total` values of 0..1, with a conservative 95 % interval.

    Values between 0 and 1 vary at most as much as values that are 0 or 1, so the interval of a share is used.
    """

    sum: float
    total: int

    @property
    def value(self) -> float:
        """0..1; 0 for no values."""
        return min(1.0, self.sum / self.total) if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.value, self.total)


def percent(share: Share) -> str:
    """E.g. "3/200 = 1.5 % [0.5, 4.3]"."""
    low, high = share.interval
    return f"{share.hits}/{share.total} = {100 * share.value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


@dataclass(frozen=True, slots=True)
class Auroc:
    """The probability that a true row scores higher than a false one, 0..1; ties count half, 0.5 is chance.

    interval: 95 %, from the variance of Hanley and McNeil (1982).
    """

    value: float
    true: int
    false: int

    @classmethod
    def of(cls, true: Sequence[float], false: Sequence[float]) -> "Auroc":
        """value is 0.5 if either side is empty."""
        ordered = sorted(false)
        won = sum(bisect_left(ordered, score) + bisect_right(ordered, score) for score in true) / 2
        pairs = len(true) * len(false)
        return cls(won / pairs if pairs else 0.5, len(true), len(false))

    @property
    def interval(self) -> tuple[float, float]:
        if not self.true or not self.false:
            return 0.0, 1.0
        a = self.value
        first, second = a / (2 - a), 2 * a * a / (1 + a)
        spread = (self.true - 1) * (first - a * a) + (self.false - 1) * (second - a * a)
        half = Z95 * math.sqrt(max(0.0, a * (1 - a) + spread) / (self.true * self.false))
        return max(0.0, a - half), min(1.0, a + half)

    def as_dict(self) -> dict[str, Any]:
        return {"value": self.value, "interval": self.interval, "true": self.true, "false": self.false}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.3f} [{low:.2f}, {high:.2f}]"


def wilson(p: float, n: int) -> tuple[float, float]:
    """The 95 % interval (Wilson 1927) of a share p, 0..1, of n rows; (0, 1) if n is 0."""
    if not n:
        return 0.0, 1.0
    centre = (p + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 * math.sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n)) / (1 + Z95**2 / n)
    return min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half))  # rounding must not exclude p


def percentile(values: Iterable[float], share: float) -> float:
    """The nearest-rank percentile; 0 for no values. share: 0..1."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0
