"""Fits the scale of the prefloors on the cosines between questions and the passages found for them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from evaluation.calibration.labelled import RetrievedQuestion

FOLDS = 5
Points = tuple[tuple[float, float], ...]
Cosines = Mapping[str, NDArray[np.float64]]
# The reference scale (shared/design/pipeline.md, "Similarity scale"): at each of its values, the share of which kind of
# cosine lies below. `_cosines` defines the kinds. Evidence: docs/thresholds.md.
BELOW: Mapping[float, tuple[str, float]] = MappingProxyType(
    {
        0.00: ("elsewhere", 0.05),
        0.18: ("gold", 0.02),
        0.40: ("answerable", 0.02),
        0.45: ("elsewhere", 0.95),
        0.55: ("near", 0.50),
        0.65: ("near", 0.90),
    }
)


def passage_points(found: Sequence[RetrievedQuestion]) -> tuple[Points, dict[str, object]]:
    """Rising (cosine, reference) points, and their evidence, cross-validated by lecture.

    Raises ValueError if a kind of cosine is missing.
    """
    points = _points(_cosines(found))
    unseen = _unseen(found)
    evidence: dict[str, object] = {
        "cosines": {name: len(values) for name, values in unseen.items()},
        "cross_validated": f"{FOLDS} folds by lecture",
        "auroc": auroc(unseen["answerable"], unseen["near"]),
        "auroc_off_topic": auroc(unseen["answerable"], unseen["off_topic"]),
        "auroc_gold": auroc(unseen["gold"], unseen["beside"]),
    }
    for cosine, reference in points[1:-1]:
        evidence[f"at {reference:.2f}"] = {"cosine": round(cosine, 3), **shares_above(unseen, reference)}
    return points, evidence


def _cosines(found: Sequence[RetrievedQuestion]) -> Cosines:
    """Cosines by kind.

    Of every passage found: "gold" (it answers), "beside" (another passage for an answerable question) and "elsewhere"
    (for an off-topic question). Of each question's closest passage: "answerable", "near" (near miss) and "off_topic".
    """
    kinds: dict[str, list[float]] = {
        name: [] for name in ("gold", "beside", "elsewhere", "answerable", "near", "off_topic")
    }
    for retrieved in found:
        question, pool = retrieved.question, retrieved.pool.candidates
        closest = "answerable" if question.answerable else "near" if question.is_near else "off_topic"
        kinds[closest].append(max((candidate.similarity or 0.0 for candidate in pool), default=0.0))
        for candidate in pool:
            kind = "beside" if question.gold else "elsewhere" if closest == "off_topic" else ""
            kind = "gold" if question.gold & set(candidate.passage.addresses) else kind
            if kind:
                kinds[kind].append(candidate.similarity or 0.0)
    return {name: np.array(values) for name, values in kinds.items()}


def _points(cosines: Cosines) -> Points:
    if missing := [name for name, values in cosines.items() if not len(values)]:
        message = f"nothing was found that is {' or '.join(missing)}: are the questions' lectures imported and indexed?"
        raise ValueError(message)
    return rising({at: float(np.quantile(cosines[name], share)) for at, (name, share) in BELOW.items()} | {1.0: 1.0})


def _unseen(found: Sequence[RetrievedQuestion]) -> Cosines:
    """Every cosine on a scale that was fitted without the question's lecture."""
    groups = [retrieved.question.group for retrieved in found]
    parts: list[Cosines] = []
    for train, test in GroupKFold(FOLDS).split(groups, groups=groups):
        cosines, references = zip(*_points(_cosines([found[at] for at in train])), strict=True)
        left_out = _cosines([found[at] for at in test])
        parts.append({name: np.interp(values, cosines, references) for name, values in left_out.items()})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def shares_above(values: Cosines, bar: float) -> dict[str, float]:
    """{"KIND_above": share of a kind's values that reach the threshold, 0..1}."""
    return {f"{kind}_above": round(float((found >= bar).mean()), 3) for kind, found in values.items()}


def auroc(yes: NDArray[np.float64], no: NDArray[np.float64]) -> float:
    truth = [True] * len(yes) + [False] * len(no)
    return round(float(roc_auc_score(truth, np.concatenate([yes, no]))), 3)


def rising(at: Mapping[float, float]) -> Points:
    """Points (cosine, reference) that rise on both sides, from the cosine at each reference value."""
    points: list[tuple[float, float]] = []
    for reference, cosine in sorted(at.items()):
        if not points or cosine > points[-1][0]:  # where kinds overlap, keep the lower reference value
            points.append((round(cosine, 4), reference))
    return tuple(points)
