"""Parts that all reports share: goals with what was measured, and the sentence on what limits a measurement."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from audit.domain.metrics import Share

GOAL_COLUMNS = ("goal", "bar", "measured", "met")


@dataclass(frozen=True, slots=True)
class Goal:
    """A bar for a share. at_most: the share must not exceed it; otherwise it must reach it."""

    name: str
    bar: float
    measured: Share
    at_most: bool = False

    @property
    def met(self) -> bool:
        """Decided by the share alone, not by its interval."""
        return self.measured.value <= self.bar if self.at_most else self.measured.value >= self.bar


def goal_rows(goals: Iterable[Goal], as_text: Callable[[Share], str] = str) -> Iterator[tuple[str, ...]]:
    """Rows of GOAL_COLUMNS."""
    for goal in goals:
        sign = "≤" if goal.at_most else "≥"
        yield goal.name, f"{sign} {goal.bar:.2f}", as_text(goal.measured), "yes" if goal.met else "no"


def limit_of(what: str, counts: Mapping[str, int]) -> str:
    """The group with most errors, and its share of them. what: the errors in the plural, e.g. "falsehoods shown"."""
    total = sum(counts.values())
    if not total:
        return f"no {what}"
    worst = max(counts, key=lambda name: counts[name])
    return f"of the {total} {what}, most are of “{worst}”: {Share(counts[worst], total)}"


def limits(*parts: str) -> str:
    return f"What limits it: {'; '.join(parts)}."
