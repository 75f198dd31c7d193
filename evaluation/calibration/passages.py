"""Measures how near questions lie to the passages found for them: the scale on which the prefloors stand."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from evaluation.calibration.labelled import RetrievedQuestion
from evaluation.calibration.phrasings import FOLDS, Cosines, Points, rising

# What the reference scale's numbers mean (shared/design/pipeline.md, "Similarity scale"): the share, 0..1, of which
# cosines lies below; `_cosines` says which they are. Evidence: docs/thresholds.md.
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
    """Return rising (cosine, reference) points through the scale's operating points, and the evidence for them.

    The evidence is counted on lectures that a map had not seen. Raises ValueError where a kind of cosine is missing.
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
    """Return cosines by what they are of.

    Of passages found: those that hold a "gold" paragraph, those "beside" them, and those of off-topic questions, which
    are about something "elsewhere". Of each question's closest passage: "answerable", "near" misses and "off_topic".
    """
    told: dict[str, list[float]] = {
        name: [] for name in ("gold", "beside", "elsewhere", "answerable", "near", "off_topic")
    }
    for question in found:
        asked, pool = question.asked, question.pool.candidates
        closest = "answerable" if asked.answerable else "near" if asked.is_near else "off_topic"
        told[closest].append(max((candidate.similarity or 0.0 for candidate in pool), default=0.0))
        for candidate in pool:
            kind = "beside" if asked.gold else "elsewhere" if closest == "off_topic" else ""
            kind = "gold" if asked.gold & set(candidate.passage.addresses) else kind
            if kind:
                told[kind].append(candidate.similarity or 0.0)
    return {name: np.array(values) for name, values in told.items()}


def _points(cosines: Cosines) -> Points:
    if missing := [name for name, values in cosines.items() if not len(values)]:
        message = f"nothing was found that is {' or '.join(missing)}: are the questions' lectures imported and indexed?"
        raise ValueError(message)
    return rising({at: float(np.quantile(cosines[name], share)) for at, (name, share) in BELOW.items()} | {1.0: 1.0})


def _unseen(found: Sequence[RetrievedQuestion]) -> Cosines:
    """Return every cosine on the scale of a map that was made without its question's lecture."""
    groups = [question.asked.group for question in found]
    parts: list[Cosines] = []
    for train, test in GroupKFold(FOLDS).split(groups, groups=groups):
        cosines, references = zip(*_points(_cosines([found[at] for at in train])), strict=True)
        left_out = _cosines([found[at] for at in test])
        parts.append({name: np.interp(values, cosines, references) for name, values in left_out.items()})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def shares_above(values: Cosines, bar: float) -> dict[str, float]:
    """Return {"KIND_above": the share, 0..1, of a kind's values that reach the bar}."""
    return {f"{kind}_above": round(float((found >= bar).mean()), 3) for kind, found in values.items()}


def auroc(yes: NDArray[np.float64], no: NDArray[np.float64]) -> float:
    """Return how well a value parts two kinds, 0..1: the chance that one of the first is above one of the second."""
    truth = [True] * len(yes) + [False] * len(no)
    return round(float(roc_auc_score(truth, np.concatenate([yes, no]))), 3)
