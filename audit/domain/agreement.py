"""How far two reviewers agree beyond chance: Cohen's kappa (Cohen 1960)."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from audit.domain.metrics import Z95, Share


@dataclass(frozen=True, slots=True)
class Kappa:
    """value: -1..1; None where chance alone explains everything, as when both give one decision only.

    interval: 95 %, from the large-sample standard error; too narrow for few items. observed: the share that agrees.
    """

    value: float | None
    interval: tuple[float, float]
    observed: Share

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> "Kappa":
        """pairs: the decisions of both reviewers on each item that both decided."""
        listed = list(pairs)
        total = len(listed)
        observed = Share.of(first == second for first, second in listed)
        if not total:
            return cls(None, (-1.0, 1.0), observed)
        firsts, seconds = Counter(first for first, _ in listed), Counter(second for _, second in listed)
        chance = sum(firsts[name] * seconds[name] for name in firsts) / total**2
        if chance == 1:
            return cls(None, (-1.0, 1.0), observed)
        value = (observed.value - chance) / (1 - chance)
        half = Z95 * math.sqrt(observed.value * (1 - observed.value) / total) / (1 - chance)
        return cls(value, (max(-1.0, value - half), min(1.0, value + half)), observed)
