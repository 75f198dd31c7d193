"""Fitting the coverage gate on labelled questions: what each signal weighs, and from where on to answer."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from audit.domain.metrics import Share
from chat.answering.domain.evidence.coverage import Calibration
from evaluation.calibration.labelled import LabelledQuestion
from evaluation.domain.ranking import ScoredQuestion
from lectorium.providers.registry import clip_reader, reader

FOLDS = 5
SEED = 0
STRENGTH = 0.5  # of the fit, inverse to how much it holds its weights back
# Measured and recorded; as one more signal of the gate it brought nothing (AUROC 0.784 with it, 0.786 without).
UNWEIGHED = frozenset({"names_share"})
# What each kind of question weighs together, so that the many easy ones do not drown the hard ones.
WEIGHTS = MappingProxyType({"answerable": 0.50, "near": 0.35, "off_topic": 0.15})
BUDGET = 0.05  # share of the unanswerable near misses that may be answered
OUTSIDE = 0.02  # share of the answerable that may be taken for another matter, and get no second look
ELSEWHERE = 0.1  # share of the questions about other matters that may be met by a closest passage


@dataclass(frozen=True, slots=True)
class FittedGate:
    """A fitted gate, the questions it was fitted on, and each one's chance by a fit that had not seen its lecture."""

    calibration: Calibration
    asked: Sequence[LabelledQuestion]
    chances: Sequence[float]

    def of_kind(self, kind: str) -> list[ScoredQuestion]:
        """Return the chance and the truth of each question of a kind."""
        return self._judged(lambda one: one.kind == kind)

    @property
    def near(self) -> list[ScoredQuestion]:
        """Return those of the questions that have to do with the corpus."""
        return self._judged(lambda one: one.is_near)

    @property
    def at_the_bar(self) -> tuple[Share, Share]:
        """Return which shares of these are answered at the stored bar: with an answer, and without."""
        kept, invented = (
            Share.of(one.score >= self.calibration.answer_from for one in self.near if one.answerable is wanted)
            for wanted in (True, False)
        )
        return kept, invented

    def _judged(self, wanted: Callable[[LabelledQuestion], bool]) -> list[ScoredQuestion]:
        pairs = zip(self.asked, self.chances, strict=True)
        return [ScoredQuestion(chance, one.answerable) for one, chance in pairs if wanted(one)]


def fit(
    measured: Sequence[tuple[LabelledQuestion, dict[str, float]]], budget: float, data: Iterable[Path]
) -> FittedGate:
    """Fit the weights, and the lowest bar that lets through at most `budget` (0..1) of the unanswerable questions.

    From a lower bar on, which ELSEWHERE of the questions about other matters reach, the closest passage is shown. Under
    another bar, which OUTSIDE of the answerable questions do not reach, the corpus is not about the question.

    Every signal can only speak for an answer: one whose weight would be negative is left out. The bar and every figure
    in the evidence come from predictions for lectures the fit had not seen.
    """
    names = sorted({name for _, signals in measured for name in signals})
    x = np.array([[signals.get(name, 0.0) for name in names] for _, signals in measured])
    y = np.array([one.answerable for one, _ in measured])
    groups = np.array([one.group for one, _ in measured])
    off_topic = np.array([not one.is_near for one, _ in measured])
    weight, weighed = _balanced(measured), [column for column, name in enumerate(names) if name not in UNWEIGHED]
    unseen = np.zeros(len(y))
    for train, test in GroupKFold(FOLDS).split(x, y, groups):
        weights, bias = fit_monotone(x[train], y[train], weight[train], weighed)
        unseen[test] = 1 / (1 + np.exp(-(x[test] @ weights + bias)))
    weights, bias = fit_monotone(x, y, weight, weighed)
    bar = _bar(unseen, y, off_topic, budget)
    outside = min(bar, float(np.quantile(unseen[y], OUTSIDE)))
    closest = min(bar, float(np.quantile(unseen[off_topic], 1 - ELSEWHERE)))
    calibration = Calibration(
        weights={name: round(float(value), 4) for name, value in zip(names, weights, strict=True) if value > 0},
        bias=round(bias, 4),
        answer_from=round(bar, 4),
        outside_below=round(outside, 4),
        closest_from=round(closest, 4),
        evidence={
            **_evidence(measured, names, x, y, unseen, bar, budget, data),
            "reader": reader().name,
            "off_topic_outside": round(float((unseen[off_topic] < outside).mean()), 3),
            "answerable_at_least_closest": round(float((unseen[y] >= closest).mean()), 3),
            "clip_reader": judge.name if (judge := clip_reader()) else "",
        },
    )
    return FittedGate(calibration, [one for one, _ in measured], unseen.tolist())


def fit_monotone(
    x: NDArray[np.float64], y: NDArray[np.bool_], weight: NDArray[np.float64], weighed: Iterable[int]
) -> tuple[NDArray[np.float64], float]:
    """Return logistic weights (n,), none negative, and the bias, for signals (rows, n), truth and weights (rows,).

    Only the columns `weighed` may get a weight.
    """
    scale = x.std(axis=0) + 1e-9
    kept = list(weighed)
    while True:
        model = LogisticRegression(C=STRENGTH, random_state=SEED, max_iter=1000)
        model.fit(x[:, kept] / scale[kept], y, sample_weight=weight)
        worst = int(np.argmin(model.coef_[0]))
        if model.coef_[0][worst] >= 0 or len(kept) == 1:
            break
        kept.pop(worst)
    weights = np.zeros(x.shape[1])
    weights[kept] = np.maximum(model.coef_[0], 0) / scale[kept]
    return weights, float(model.intercept_[0])


def _balanced(measured: Sequence[tuple[LabelledQuestion, dict[str, float]]]) -> NDArray[np.float64]:
    """Return a weight a question, their mean 1, so that all of a kind together weigh as WEIGHTS says."""
    kinds = ["answerable" if one.answerable else "near" if one.is_near else "off_topic" for one, _ in measured]
    return np.array([WEIGHTS[kind] * len(kinds) / kinds.count(kind) for kind in kinds])


def _bar(chance: NDArray[Any], y: NDArray[Any], off_topic: NDArray[Any], budget: float) -> float:
    """Return the lowest bar at which at most `budget` of the near-miss questions would be answered."""
    hard = np.sort(chance[~y & ~off_topic])
    allowed = int(budget * len(hard))
    return float(hard[len(hard) - allowed - 1]) + 1e-4


def _evidence(
    measured: Sequence[tuple[LabelledQuestion, dict[str, float]]],
    names: Sequence[str],
    x: NDArray[Any],
    y: NDArray[Any],
    unseen: NDArray[Any],
    bar: float,
    budget: float,
    data: Iterable[Path],
) -> dict[str, object]:
    hard = np.array([one.is_near for one, _ in measured])
    answered = unseen >= bar
    return {
        "data": {
            f"{path.parent.name}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in data
        },
        "questions": {"answerable": int(y.sum()), "near": int((~y & hard).sum()), "off_topic": int((~hard).sum())},
        "cross_validated": f"{FOLDS} folds by lecture",
        "budget": budget,
        "auroc": round(float(roc_auc_score(y[hard], unseen[hard])), 3),
        "auroc_off_topic": round(float(roc_auc_score(y[y | ~hard], unseen[y | ~hard])), 3),
        "auroc_by_signal": {
            name: round(float(roc_auc_score(y[hard], x[hard, column])), 3) for column, name in enumerate(names)
        },
        "auroc_from_a": _from_section_a(measured, names, x, y, unseen),
        "answerable_answered": round(float(answered[y].mean()), 3),
        "near_answered": round(float(answered[~y & hard].mean()), 3),
        "off_topic_answered": round(float(answered[~hard].mean()), 3),
    }


def _from_section_a(
    measured: Sequence[tuple[LabelledQuestion, dict[str, float]]],
    names: Sequence[str],
    x: NDArray[Any],
    y: NDArray[Any],
    unseen: NDArray[Any],
) -> dict[str, dict[str, float]]:
    """Return how well the whole and each signal part section A from the unanswerable of B, and from C's false twins."""
    sections = np.array([one.section for one, _ in measured])
    scores = {"all, cross-validated": unseen, **{name: x[:, column] for column, name in enumerate(names)}}
    apart = {}
    for told, section in (("unanswerable", "B"), ("false twins", "C")):
        chosen = (sections == "A") | ((sections == section) & ~y)
        if 0 < y[chosen].sum() < chosen.sum():
            apart[told] = {name: round(float(roc_auc_score(y[chosen], one[chosen])), 3) for name, one in scores.items()}
    return apart
