"""Compares two runs of an evaluation suite: their metrics, and the questions that got better or worse."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb


@dataclass(frozen=True, slots=True)
class RunMetric:
    """A measured value with its 95 % interval. hits, total: of a share, else None and the number of values."""

    name: str
    value: float
    low: float
    high: float
    hits: int | None
    total: int


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of a run. good: the outcome is the wanted one. text: "" where it is not to be read here."""

    id: str
    outcome: str
    good: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class RunTerms:
    """What a run measured and on what; two runs with equal terms measure the same thing."""

    suite: str
    corpus: str
    options: Mapping[str, str]
    ended: bool


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A metric of either run or both, and the difference with its 95 % interval where both have it."""

    name: str
    before: RunMetric | None
    after: RunMetric | None
    change: float | None = None
    interval: tuple[float, float] | None = None

    @property
    def is_clear(self) -> bool:
        """Whether the interval of the difference leaves out zero."""
        return self.interval is not None and not self.interval[0] <= 0 <= self.interval[1]


@dataclass(frozen=True, slots=True)
class QuestionChange:
    question: AskedQuestion
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class QuestionChanges:
    """Questions in both runs, by what became of them. other: another outcome, neither better nor worse."""

    better: tuple[QuestionChange, ...]
    worse: tuple[QuestionChange, ...]
    other: tuple[QuestionChange, ...]
    in_both: int
    only_before: int
    only_after: int

    @property
    def chance(self) -> float:
        """The probability of a split at least as uneven if both runs were equally good (sign test); 1 for none."""
        fewer, n = min(len(self.better), len(self.worse)), len(self.better) + len(self.worse)
        return min(1.0, 2 * sum(comb(n, k) for k in range(fewer + 1)) / 2**n) if n else 1.0


def objections(before: RunTerms, after: RunTerms) -> list[str]:
    """Why a difference between the runs may not come from the product; [] where nothing stands in the way."""
    found = []
    if before.suite != after.suite:
        found.append(f"These are different suites, {before.suite} and {after.suite}: nothing can be compared.")
    if before.corpus != after.corpus:
        found.append("The corpora differ, so a change may come from the lectures and not from the product.")
    keys = sorted(before.options.keys() | after.options.keys())
    changed = [key for key in keys if before.options.get(key) != after.options.get(key)]
    if before.suite == after.suite and changed:
        said = (f"{key} {before.options.get(key, 'unset')} → {after.options.get(key, 'unset')}" for key in changed)
        found.append(f"The options differ: {', '.join(said)}.")
    for name, run in (("first", before), ("second", after)):
        if not run.ended:
            found.append(f"The {name} run was cut off: what it did not reach is missing.")
    return found


def metric_changes(before: Sequence[RunMetric], after: Sequence[RunMetric]) -> list[MetricChange]:
    """Every metric of either run, in the order of the first run, then of the second."""
    old, new = ({metric.name: metric for metric in metrics} for metrics in (before, after))
    return [_metric_change(name, old.get(name), new.get(name)) for name in {**old, **new}]


def _metric_change(name: str, old: RunMetric | None, new: RunMetric | None) -> MetricChange:
    if old is None or new is None or not old.total or not new.total:
        return MetricChange(name, old, new)
    change = new.value - old.value
    # The interval of a difference from the intervals of both (Newcombe 1998, method 10; MOVER for other values).
    below = math.hypot(new.value - new.low, old.high - old.value)
    above = math.hypot(new.high - new.value, old.value - old.low)
    return MetricChange(name, old, new, change, (change - below, change + above))


def question_changes(before: Sequence[AskedQuestion], after: Sequence[AskedQuestion]) -> QuestionChanges:
    old, new = ({question.id: question for question in questions} for questions in (before, after))
    better, worse, other = list[QuestionChange](), list[QuestionChange](), list[QuestionChange]()
    for key in old.keys() & new.keys():
        was, now = old[key], new[key]
        change = QuestionChange(now, was.outcome, now.outcome)
        if now.good is not was.good:
            (better if now.good else worse).append(change)
        elif now.outcome != was.outcome:
            other.append(change)
    better, worse, other = (sorted(found, key=_id_of) for found in (better, worse, other))
    both, left, right = (
        len(keys) for keys in (old.keys() & new.keys(), old.keys() - new.keys(), new.keys() - old.keys())
    )
    return QuestionChanges(tuple(better), tuple(worse), tuple(other), both, left, right)


def _id_of(change: QuestionChange) -> str:
    return change.question.id
