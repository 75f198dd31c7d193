"""The coverage gate: does the evidence hold an answer to this question, or only its topic?

No single signal separates the two (shared/design/evaluation.md: the best cosine alone reaches AUROC 0.75 on the golden
set), so several are weighed by a logistic model that `manage.py calibrate` fits, cross-validated by lecture.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from chat.domain.evidence import Reason
from chat.domain.pool import Candidate


@dataclass(frozen=True, slots=True)
class DiscardRules:
    """What is kept for the answer. Evidence: docs/thresholds.md.

    term_weight: share of the question's words in a passage's closeness; its cosine makes up the rest.
    """

    top_k: int = 16
    prefloor: float = 0.18
    per_source: int = 6
    nearest: int = 3
    term_weight: float = 0.4


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the signals, and the two chances (0..1) between which evidence is thin.

    answer_from: at or above it a question is answered. outside_below: under it the corpus is not about the question.
    """

    weights: Mapping[str, float]
    bias: float
    answer_from: float
    outside_below: float
    evidence: Mapping[str, object] = field(default_factory=dict)


def chance_of_coverage(signals: Mapping[str, float], calibration: Calibration) -> float:
    """Return the calibrated chance, 0..1, that the evidence answers the question."""
    total = calibration.bias + sum(weight * signals.get(name, 0.0) for name, weight in calibration.weights.items())
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def refusal_reason(coverage: float, calibration: Calibration) -> Reason | None:
    """Return None where the evidence covers the question, otherwise the reason to refuse."""
    if coverage >= calibration.answer_from:
        return None
    return Reason.OUTSIDE_CORPUS if coverage < calibration.outside_below else Reason.UNANSWERABLE


def closeness(one: Candidate, rules: DiscardRules) -> float:
    """Return how close a passage is to the question, 0..1, where no cross-encoder says so: meaning and words together.

    Fused rank orders the pool, but it forgets by how much one passage is closer than the next; both scales know.
    """
    return (1 - rules.term_weight) * (one.similarity or 0.0) + rules.term_weight * one.term_share


def keep(candidates: Sequence[Candidate], rules: DiscardRules) -> tuple[Candidate, ...]:
    """Drop noise below the prefloor (forced hits stay), hold each source to its share, keep the closest.

    Addressed passages lead.
    """
    above = [one for one in candidates if one.forced or (one.similarity or 0.0) >= rules.prefloor]
    above.sort(key=lambda one: (not one.at_address, -closeness(one, rules)))
    kept: list[Candidate] = []
    held: dict[object, int] = {}
    for one in above:
        source = one.passage.source_id
        if one.passage.kind == "lecture" and held.get(source, 0) >= rules.per_source and not one.at_address:
            continue
        held[source] = held.get(source, 0) + 1
        kept.append(one)
    return tuple(kept[: rules.top_k])


def term_share(words: Collection[str], held: Collection[str], weight: Callable[[str], float]) -> float:
    """Return the share, 0..1, of the question's words that are held, each weighed by its rarity."""
    total = sum(weight(word) for word in words)
    return sum(weight(word) for word in words if word in held) / total if total else 0.0
