"""Logistic models whose weights are not negative, and what they say of rows that they were not fitted on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

FOLDS = 5
SEED = 0
STRENGTH = 0.5  # inverse of the regularisation


@dataclass(frozen=True, slots=True)
class MonotoneModel:
    """weights: (n,). unseen: out-of-fold chances, (rows,)."""

    weights: NDArray[np.float64]
    bias: float
    unseen: NDArray[np.float64]

    def named(self, names: Sequence[str]) -> dict[str, float]:
        return {name: round(float(value), 4) for name, value in zip(names, self.weights, strict=True) if value > 0}


def cross_validated(
    x: NDArray[np.float64],
    y: NDArray[np.bool_],
    weight: NDArray[np.float64],
    groups: NDArray[Any],
    weighed: Iterable[int],
) -> MonotoneModel:
    """Fit on all rows with a weight, and judge every row by a fit without its group. Shapes: see fit_monotone."""
    columns, unseen, rows = list(weighed), np.zeros(len(y)), weight > 0
    for train, test in GroupKFold(FOLDS).split(x, y, groups):
        fitted_on = train[rows[train]]
        weights, bias = fit_monotone(x[fitted_on], y[fitted_on], weight[fitted_on], columns)
        unseen[test] = 1 / (1 + np.exp(-(x[test] @ weights + bias)))
    weights, bias = fit_monotone(x[rows], y[rows], weight[rows], columns)
    return MonotoneModel(weights, bias, unseen)


def fit_monotone(
    x: NDArray[np.float64], y: NDArray[np.bool_], weight: NDArray[np.float64], weighed: Iterable[int]
) -> tuple[NDArray[np.float64], float]:
    """Non-negative logistic weights (n,) and the bias, for signals (rows, n), truth (rows,) and row weights (rows,).

    weighed: the columns that may get a weight.
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
