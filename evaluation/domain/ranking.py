"""Measures of an order of passages, and of a decision whether to answer. Addresses are strings; ranks count from 1."""

import math
import random
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# shared/design/evaluation.md, "Goals".
COVERAGE_GOAL, HALLUCINATION_GOAL = 0.80, 0.01
Order = Sequence[frozenset[str]]  # the addresses that each passage holds, best passage first
Gold = Sequence[frozenset[str]]  # of each passage looked for, the addresses any one of which finds it
RESAMPLES = 1000


def found(order: Order, gold: Gold, first: int) -> list[bool]:
    """Return, for each gold passage, whether the first so many passages hold it."""
    held = frozenset().union(*order[:first])
    return [not held.isdisjoint(one) for one in gold]


def reciprocal_rank(order: Order, gold: Gold) -> float:
    """Return 1 / rank of the first passage that is gold, 0..1; 0 where none is."""
    wanted = frozenset().union(*gold)
    return next((1 / rank for rank, held in enumerate(order, 1) if held & wanted), 0.0)


def average_precision(order: Order, gold: Gold) -> float:
    """Return the mean, over the gold passages, of the precision where each is first found, 0..1; not found counts 0."""
    missing, precisions = list(gold), []
    for rank, held in enumerate(order, 1):
        here = [one for one in missing if held & one]
        if here:
            missing = [one for one in missing if one not in here]
            precisions += [(len(gold) - len(missing)) / max(rank, len(gold) - len(missing))] * len(here)
    return sum(precisions) / len(gold) if gold else 0.0


@dataclass(frozen=True, slots=True)
class BootstrapMean:
    """A mean of values 0..1 over questions, with its 95 % interval by bootstrap (1,000 resamples, seeded)."""

    value: float
    low: float
    high: float
    total: int

    @classmethod
    def of(cls, values: Iterable[float], seed: int = 0) -> "BootstrapMean":
        """Return the mean; of nothing, 0 in (0, 1)."""
        listed = list(values)
        if not listed:
            return cls(0.0, 0.0, 1.0, 0)
        chance = random.Random(seed)  # noqa: S311 - resampling, not a secret
        means = sorted(statistics.fmean(chance.choices(listed, k=len(listed))) for _ in range(RESAMPLES))
        return cls(statistics.fmean(listed), means[RESAMPLES // 40], means[-RESAMPLES // 40 - 1], len(listed))

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.2f}, {self.high:.2f}]"


@dataclass(frozen=True, slots=True)
class ScoredQuestion:
    """How sure something was of a question, and whether answering it was right: it has an answer."""

    score: float
    answerable: bool


def risk_coverage(judged: Iterable[ScoredQuestion]) -> list[tuple[float, float]]:
    """Return (coverage, risk) as ever less sure questions are answered; equal scores are answered together.

    coverage: the share of all questions answered. risk: the share of those answered that have no answer. Source:
    El-Yaniv and Wiener (2010).
    """
    answered = _answered(judged)
    everything = sum(answered[-1]) if answered else 0
    return [((right + wrong) / everything, wrong / (right + wrong)) for right, wrong in answered]


def trade_off(judged: Iterable[ScoredQuestion]) -> list[tuple[float, float]]:
    """Return (coverage, hallucination) from nothing answered to everything; equal scores are answered together.

    coverage: the share of the answerable answered; hallucination: of the others. Source: shared/design/evaluation.md.
    """
    answered = [(0, 0), *_answered(judged)]
    yes, no = answered[-1]
    return [(right / max(1, yes), wrong / max(1, no)) for right, wrong in answered]


def _answered(judged: Iterable[ScoredQuestion]) -> list[tuple[int, int]]:
    """Return how many with and without an answer are answered at each bar, the strictest first."""
    ordered = sorted(judged, key=lambda one: -one.score)
    counts, right = [], 0
    for taken, one in enumerate(ordered, 1):
        right += one.answerable
        if taken == len(ordered) or ordered[taken].score != one.score:
            counts.append((right, taken - right))
    return counts


def risk_at(judged: Iterable[ScoredQuestion], coverage: float) -> float:
    """Return the risk once at least this share of the questions is answered, 0..1; 0 of nothing."""
    return next((risk for reached, risk in risk_coverage(judged) if reached >= coverage), 0.0)


def area_under_risk(judged: Iterable[ScoredQuestion]) -> float:
    """Return the area under the risk–coverage curve (AURC), 0..1, the less the better; each step holds its risk."""
    area, before = 0.0, 0.0
    for coverage, risk in risk_coverage(judged):
        area += (coverage - before) * risk
        before = coverage
    return area


def lowest_bar(judged: Iterable[ScoredQuestion], budget: float) -> float:
    """Return the lowest bar that at most `budget` (0..1) of the questions without an answer lie above."""
    no = sorted(question.score for question in judged if not question.answerable)
    return no[len(no) - int(budget * len(no)) - 1] if no else -math.inf


def separation(judged: Sequence[ScoredQuestion]) -> float:
    """Return how well the score parts the answerable from the others (AUROC), 0..1; 0.5 says nothing, ties count half.

    0.5 where one of the two is missing.
    """
    yes = [question.score for question in judged if question.answerable]
    no = [question.score for question in judged if not question.answerable]
    won = sum((a > b) + 0.5 * (a == b) for a in yes for b in no)
    return won / (len(yes) * len(no)) if yes and no else 0.5
