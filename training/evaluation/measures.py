"""The published measures, each with a bootstrap interval."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Measure = Callable[[Numbers, Numbers], float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % bootstrap interval over `rows` rows."""

    value: float
    low: float
    high: float
    rows: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.2f}–{self.high:.2f})"


def estimate(measure: Measure, truth: Sequence[float], scores: Sequence[float], *, rounds: int = 500) -> Estimate:
    """The measure of scores against truth, with an interval from `rounds` resamples of the rows."""
    return macro(measure, [(truth, scores)], rounds=rounds)


def macro(measure: Measure, sets: Sequence[tuple[Sequence[float], Sequence[float]]], *, rounds: int = 500) -> Estimate:
    """The unweighted mean of a measure over sets of (truth, scores); resamples draw rows within each set.

    Sets and resamples for which the measure is undefined are left out.
    """
    arrays = [(np.asarray(truth, dtype=float), np.asarray(scores, dtype=float)) for truth, scores in sets]
    rng = np.random.default_rng(0)
    values = []
    for _ in range(rounds):
        drawn = [rng.integers(0, len(truth), len(truth)) for truth, _ in arrays]
        resampled = [(truth[rows], scores[rows]) for (truth, scores), rows in zip(arrays, drawn, strict=True)]
        values.append(_mean([measure(truth, scores) for truth, scores in resampled]))
    low, high = np.nanquantile(values, [0.025, 0.975])
    value = _mean([measure(truth, scores) for truth, scores in arrays])
    return Estimate(value, float(low), float(high), sum(len(truth) for truth, _ in arrays))


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def auroc(truth: Numbers, scores: Numbers) -> float:
    """The probability that a true row scores higher than a false one; nan if either is missing."""
    true, false = int(truth.sum()), int((1 - truth).sum())
    if not true or not false:
        return float("nan")
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[truth == 1].sum() - true * (true + 1) / 2) / (true * false))


def balanced_accuracy(threshold: float) -> Measure:
    """The mean of two shares: true rows at or above `threshold`, and false rows below it."""

    def measure(truth: Numbers, scores: Numbers) -> float:
        if not truth.any() or truth.all():
            return float("nan")
        return float(((scores >= threshold)[truth == 1].mean() + (scores < threshold)[truth == 0].mean()) / 2)

    return measure


def called_supported(threshold: float, truth_of: float) -> Measure:
    """The share at or above `threshold` of the rows whose truth is `truth_of`, 1.0 or 0.0."""

    def measure(truth: Numbers, scores: Numbers) -> float:
        kept = scores[truth == truth_of]
        return float((kept >= threshold).mean()) if len(kept) else float("nan")

    return measure


def calibration_error(truth: Numbers, scores: Numbers) -> float:
    """The expected calibration error over ten bins of equal width."""
    bins = np.minimum((scores * 10).astype(int), 9)
    parts = [(bins == b) for b in range(10)]
    return float(sum(p.mean() * abs(truth[p].mean() - scores[p].mean()) for p in parts if p.any()))


def mean(truth: Numbers, scores: Numbers) -> float:
    """The mean of the scores, ignoring the truth."""
    return float(scores.mean())


def average(values: Sequence[float]) -> Estimate:
    """The mean with its interval; nan for no values."""
    if not values:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    return estimate(mean, [0.0] * len(values), values, rounds=200)


def ndcg_at_10(relevant: Sequence[bool], gold: int) -> float:
    """nDCG@10. relevant: of each passage in rank order. gold: number of relevant passages in all."""
    gain = sum(1 / np.log2(place + 2) for place, hit in enumerate(relevant[:10]) if hit)
    return float(gain / sum(1 / np.log2(place + 2) for place in range(min(gold, 10)))) if gold else 0.0


def reciprocal_rank(relevant: Sequence[bool]) -> float:
    """1 / rank of the first relevant passage; 0 if there is none."""
    return next((1 / (place + 1) for place, hit in enumerate(relevant) if hit), 0.0)


def answered_at_coverage(truth: Numbers, scores: Numbers, coverage: float) -> float:
    """The share of unanswerable rows above the threshold that `coverage` of the answerable rows reach.

    nan if either kind is missing.
    """
    if not truth.any() or truth.all():
        return float("nan")
    answerable = np.sort(scores[truth == 1])
    threshold = answerable[int(len(answerable) * (1 - coverage))]
    return float((scores[truth == 0] >= threshold).mean())


def word_f1(found: str, gold: str) -> float:
    """The harmonic mean of word precision and recall, without articles and punctuation."""
    a, b = answer_words(found), answer_words(gold)
    if not a or not b:
        return float(a == b)
    shared = sum(min(a.count(word), b.count(word)) for word in set(a))
    return 2 * shared / (len(a) + len(b))


def answer_words(text: str) -> list[str]:
    """The words of an answer, without case, articles and punctuation."""
    kept = "".join(c if c.isalnum() else " " if c.isspace() else "" for c in text.lower())
    return [word for word in kept.split() if word not in {"a", "an", "the"}]
