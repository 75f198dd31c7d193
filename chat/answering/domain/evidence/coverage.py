"""The coverage gate: does the evidence hold an answer to this question, or only its topic?

No single signal separates the two (shared/design/evaluation.md: the best cosine alone reaches AUROC 0.75 on the golden
set), so several are weighed by a logistic model that `manage.py calibrate` fits, cross-validated by lecture.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from chat.answering.domain.evidence.evidence import Reason


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the signals, and the chances (0..1) that separate an answer, a closest passage and a refusal.

    answer_from: at or above it a question is answered. outside_below: under it the corpus is not about the question.
    closest_from: between it and answer_from the closest passage is shown; None for answer_from, so that it never is.
    passage: rising (cosine, reference scale) points for a question against a passage; none where that was not measured.
    languages: by language, from which cosine of the closest sentence on a question that only the embedder can read gets
    closest passages; "" is for the languages not measured. Empty where such questions cannot be served.
    """

    weights: Mapping[str, float]
    bias: float
    answer_from: float
    outside_below: float
    passage: tuple[tuple[float, float], ...] = ()
    evidence: Mapping[str, object] = field(default_factory=dict)
    closest_from: float | None = None
    languages: Mapping[str, float] = field(default_factory=dict)

    def asks(self, signal: str) -> bool:
        """Does the gate weigh this signal, or, not yet fitted, measure it?"""
        return signal in self.weights or not self.weights

    def is_close(self, coverage: float) -> bool:
        """Is the closest passage shown where nothing answers?"""
        closest_from = self.answer_from if self.closest_from is None else self.closest_from
        return closest_from < self.answer_from and coverage >= max(closest_from, self.outside_below)

    def is_close_in(self, language: str, cosine: float) -> bool:
        """Is a sentence of this cosine close enough for a question in a language that only the embedder can read?"""
        return cosine >= self.languages.get(language, self.languages.get("", math.inf))


def chance_of_coverage(signals: Mapping[str, float], calibration: Calibration) -> float:
    """Return the calibrated chance, 0..1, that the evidence answers the question."""
    total = calibration.bias + sum(weight * signals.get(name, 0.0) for name, weight in calibration.weights.items())
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def refusal_reason(coverage: float, names_share: float, calibration: Calibration) -> Reason | None:
    """Return None where the evidence covers the question, otherwise the reason to refuse.

    names_share: the share of its names and numbers that one passage holds, 0..1.
    """
    if coverage >= calibration.answer_from:
        return None
    if coverage < calibration.outside_below:
        return Reason.OUTSIDE_CORPUS
    return Reason.UNANSWERABLE if names_share == 1 else Reason.FALSE_PREMISE


def alternative_weight(word: str, other: Sequence[str], weight: Callable[[str], float]) -> float:
    """Return what lexemes that together mean a word count for in its place: as much as they are rare, at most as it."""
    return min(weight(word), max(map(weight, other), default=0.0))


def term_share(
    words: Collection[str],
    held: Collection[str],
    weight: Callable[[str], float],
    alternatives: Mapping[str, Sequence[Sequence[str]]] = MappingProxyType({}),
) -> float:
    """Return the share, 0..1, of the question's words that are held, each weighed by its rarity.

    A word that is not held counts by the best of its alternatives that is.
    """

    def worth(word: str) -> float:
        if word in held:
            return weight(word)
        others = (other for other in alternatives.get(word, ()) if all(lexeme in held for lexeme in other))
        return max((alternative_weight(word, other, weight) for other in others), default=0.0)

    total = sum(weight(word) for word in words)
    return sum(map(worth, words)) / total if total else 0.0
