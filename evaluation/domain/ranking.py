"""Measures of rankings and of the decision to answer. Addresses are strings; ranks count from 1."""

import math
import random
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit.domain.metrics import Auroc

# shared/design/evaluation.md, "Goals".
COVERAGE_GOAL, HALLUCINATION_GOAL = 0.80, 0.01
Order = Sequence[frozenset[str]]  # the addresses of each passage, best passage first
Gold = Sequence[frozenset[str]]  # for each gold passage, addresses of which any one finds it
RESAMPLES = 1000


def found(order: Order, gold: Gold, first: int) -> list[bool]:
    """Whether each gold passage is among the first `first` passages."""
    top = frozenset().union(*order[:first])
    return [not top.isdisjoint(addresses) for addresses in gold]


def reciprocal_rank(order: Order, gold: Gold) -> float:
    """1 / rank of the first gold passage; 0 if there is none."""
    wanted = frozenset().union(*gold)
    return next((1 / rank for rank, held in enumerate(order, 1) if held & wanted), 0.0)


def average_precision(order: Order, gold: Gold) -> float:
    """The mean over gold passages of the precision at the rank where each is found; 0 for those not found."""
    missing, precisions = list(gold), []
    for rank, held in enumerate(order, 1):
        here = [addresses for addresses in missing if held & addresses]
        if here:
            missing = [addresses for addresses in missing if addresses not in here]
            precisions += [(len(gold) - len(missing)) / max(rank, len(gold) - len(missing))] * len(here)
    return sum(precisions) / len(gold) if gold else 0.0


@dataclass(frozen=True, slots=True)
class BootstrapMean:
    """A mean of values 0..1 with its 95 % bootstrap interval (1,000 resamples, seeded)."""

    value: float
    low: float
    high: float
    total: int

    @classmethod
    def of(cls, values: Iterable[float], seed: int = 0) -> "BootstrapMean":
        """For no values, 0 with the interval (0, 1)."""
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
    """The score of a question, and whether the corpus answers it."""

    score: float
    answerable: bool


def risk_coverage(judged: Iterable[ScoredQuestion]) -> list[tuple[float, float]]:
    """(coverage, risk) at each threshold, from the strictest on.

    coverage: the share of all questions answered. risk: the share of answered questions that have no answer. Source:
    El-Yaniv and Wiener (2010).
    """
    answered = _answered(judged)
    everything = sum(answered[-1]) if answered else 0
    return [((right + wrong) / everything, wrong / (right + wrong)) for right, wrong in answered]


def trade_off(judged: Iterable[ScoredQuestion]) -> list[tuple[float, float]]:
    """(coverage, hallucination) at each threshold, from nothing answered to everything answered.

    coverage: share of answerable questions answered. hallucination: of the others. Source: shared/design/evaluation.md.
    """
    answered = [(0, 0), *_answered(judged)]
    yes, no = answered[-1]
    return [(right / max(1, yes), wrong / max(1, no)) for right, wrong in answered]


def _answered(judged: Iterable[ScoredQuestion]) -> list[tuple[int, int]]:
    """Numbers of answerable and other questions answered at each distinct score as threshold, the strictest first."""
    ordered = sorted(judged, key=lambda question: -question.score)
    counts, right = [], 0
    for taken, question in enumerate(ordered, 1):
        right += question.answerable
        if taken == len(ordered) or ordered[taken].score != question.score:
            counts.append((right, taken - right))
    return counts


def risk_at(judged: Iterable[ScoredQuestion], coverage: float) -> float:
    """The risk at the first threshold that reaches this coverage; 0 for no questions."""
    return next((risk for reached, risk in risk_coverage(judged) if reached >= coverage), 0.0)


def area_under_risk(judged: Iterable[ScoredQuestion]) -> float:
    """The area under the risk–coverage curve (AURC) as a step function, 0..1; lower is better."""
    area, before = 0.0, 0.0
    for coverage, risk in risk_coverage(judged):
        area += (coverage - before) * risk
        before = coverage
    return area


def lowest_bar(judged: Iterable[ScoredQuestion], budget: float) -> float:
    """The lowest threshold above which at most `budget` (0..1) of the unanswerable questions lie."""
    no = sorted(question.score for question in judged if not question.answerable)
    return no[len(no) - int(budget * len(no)) - 1] if no else -math.inf


def bar_reaching(judged: Iterable[ScoredQuestion], coverage: float) -> float:
    """The highest threshold that at least `coverage` (0..1) of the answerable questions reach."""
    yes = sorted((question.score for question in judged if question.answerable), reverse=True)
    return yes[max(1, math.ceil(coverage * len(yes) - 1e-9)) - 1] if yes else math.inf


def separation(judged: Sequence[ScoredQuestion]) -> float:
    """AUROC of the score, answerable against unanswerable questions."""
    yes = [question.score for question in judged if question.answerable]
    no = [question.score for question in judged if not question.answerable]
    return Auroc.of(yes, no).value
