"""The coverage gate: does the evidence hold an answer to this question, only its topic, or not even that?

No single signal separates these (shared/design/evaluation.md: the best cosine alone reaches AUROC 0.75 on the golden
set), so several are weighed by two logistic models that `manage.py calibrate` fits, cross-validated by lecture: one
tells answers from near misses, the other questions about the corpus from those about anything else.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from chat.answering.domain.evidence.evidence import Reason
from chat.answering.domain.evidence.selection import logistic


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the signals, and the chances (0..1) that separate an answer, a closest passage and a refusal.

    weights, bias: of the chance that the question is answered. subject, subject_bias: of the chance that the corpus
    speaks of what is asked; without them it is the same chance. answer_from: of the first chance; at or above it a
    question is answered. likely_from: of the first; from it on a closest passage is said to be the likely answer; None
    for never. closest_from: of the second; from it on the closest passage is shown where nothing answers;
    None for never. outside_below: of the second; under it the corpus is not about the question.
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
    subject: Mapping[str, float] = field(default_factory=dict)
    subject_bias: float = 0.0
    likely_from: float | None = None

    def asks(self, signal: str) -> bool:
        """Does the gate weigh this signal, or, not yet fitted, measure it?"""
        return signal in self.weights or not self.weights

    def is_close(self, subject: float) -> bool:
        """Is the closest passage shown where nothing answers? subject: the chance of the subject."""
        return self.closest_from is not None and subject >= max(self.closest_from, self.outside_below)

    def is_likely(self, coverage: float) -> bool:
        """Does a closest passage likely answer, though not surely enough for an answer? coverage: the first chance."""
        return self.likely_from is not None and self.likely_from <= coverage < self.answer_from

    def is_close_in(self, language: str, cosine: float) -> bool:
        """Is a sentence of this cosine close enough for a question in a language that only the embedder can read?"""
        return cosine >= self.languages.get(language, self.languages.get("", math.inf))


def chance_of_coverage(signals: Mapping[str, float], calibration: Calibration) -> float:
    """Return the calibrated chance, 0..1, that the evidence answers the question."""
    return _chance(signals, calibration.weights, calibration.bias)


def chance_of_subject(signals: Mapping[str, float], calibration: Calibration) -> float:
    """Return the calibrated chance, 0..1, that the corpus speaks of what is asked, whether or not it answers."""
    if not calibration.subject:
        return chance_of_coverage(signals, calibration)
    return _chance(signals, calibration.subject, calibration.subject_bias)


def _chance(signals: Mapping[str, float], weights: Mapping[str, float], bias: float) -> float:
    return logistic(bias + sum(weight * signals.get(name, 0.0) for name, weight in weights.items()))


def refusal_reason(coverage: float, subject: float, names_share: float, calibration: Calibration) -> Reason | None:
    """Return None where the evidence covers the question, otherwise the reason to refuse.

    coverage, subject: the two chances. names_share: the share of its names and numbers that one passage holds, 0..1.
    """
    if coverage >= calibration.answer_from:
        return None
    if subject < calibration.outside_below:
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
