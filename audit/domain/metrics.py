"""Measures with their uncertainty."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with the 95 % Wilson interval (Wilson 1927), which is honest for few and for none."""

    hits: int
    total: int

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> "Share":
        listed = list(outcomes)
        return cls(sum(listed), len(listed))

    @property
    def value(self) -> float:
        """Return the share, 0..1; 0 of 0 is 0."""
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval, 0..1; (0, 1) where nothing was counted."""
        if not self.total:
            return 0.0, 1.0
        n, p = self.total, self.value
        centre = (p + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
        half = Z95 * math.sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n)) / (1 + Z95**2 / n)
        return min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half))  # rounding must not exclude the share

    def as_dict(self) -> dict[str, Any]:
        """Return what a report's JSON holds of it."""
        return {"hits": self.hits, "total": self.total, "rate": self.value, "interval": self.interval}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.hits}/{self.total} = {self.value:.2f} [{low:.2f}, {high:.2f}]"


def percentile(values: Iterable[float], share: float) -> float:
    """Return the nearest-rank percentile; 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0
