"""Fits the rule by which questions meet pins, and measures it on questions that the fit did not see."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.model_selection import GroupKFold

from corpus.language import lexemes
from curation.domain.sameness import MatchRule, has_same_words, objection_to, signs_of
from curation.matching.likeness import PHRASINGS_JUDGED
from evaluation.curation.pairs import PinTrial

FALSE_ACCEPTS = 0.005  # share of questions that ask something else and may be accepted
FITTED = FALSE_ACCEPTS / 2  # of the fitted half, since the bar is lower on questions that it was chosen by
STRONG = 0.001  # share of questions about other things whose cosine may make a note strong
FOLDS = 5
PENALTY = 0.003
OTHERS = 0.3  # weight of a question about something else: they are easy
RISING = {"cosine": True, "cosine_second": True, "same": True, "same_second": True, "objected": False}
JUDGED_SAME = 0.02  # share of the rewordings that are left unread because their cosine is too low
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MeasuredTrial:
    """A trial and what the rule goes by. settled: accepted because it has the words of a phrasing."""

    trial: PinTrial
    cosines: tuple[float, ...]
    chances: tuple[float, ...]
    settled: bool
    objected: bool

    @property
    def signs(self) -> list[float]:
        found = signs_of(self.cosines, self.chances, objected=self.objected)
        return [found[name] for name in RISING]


def settled_by_words(trial: PinTrial) -> bool:
    return any(has_same_words(trial.question, phrasing, lexemes) for phrasing in trial.phrasings)


def objected(trial: PinTrial) -> bool:
    return bool(objection_to(trial.question, trial.phrasings, lexemes))


def judged_pairs(trial: PinTrial, cosines: NDArray[np.float32]) -> list[tuple[str, str]]:
    """The pairs that the judge reads of a trial."""
    return [(trial.phrasings[place], trial.question) for place in np.argsort(-cosines)[:PHRASINGS_JUDGED]]


def fit_rule(measured: Sequence[MeasuredTrial], cross: NDArray[np.float32]) -> MatchRule:
    """The rule with the lowest bar that keeps false accepts within FALSE_ACCEPTS, on folds the weights did not see.

    cross: cosines of questions about different things. The bars of notes are for `note_fit`.
    """
    scores = np.array([2.0 if case.settled else -1.0 for case in measured])
    open_places = np.array([place for place, case in enumerate(measured) if not case.settled])
    groups = np.array([measured[place].trial.group for place in open_places])
    for train, test in GroupKFold(FOLDS).split(open_places, groups=groups):
        rule = _weights([measured[place] for place in open_places[train]])
        scores[open_places[test]] = [_chance(rule, measured[place]) for place in open_places[test]]
    rule = replace(_weights([measured[place] for place in open_places]), accept=_bar(measured, scores))
    return replace(
        rule,
        judge_from=_judge_from(measured),
        pin_near=round(float(np.quantile(cross, 1 - FALSE_ACCEPTS)), 4),
        note_strong=round(float(np.quantile(cross, 1 - STRONG)), 4),
    )


def accepted(measured: Sequence[MeasuredTrial], rule: MatchRule) -> NDArray[np.bool_]:
    return np.array([case.settled or _chance(rule, case) >= rule.accept for case in measured], dtype=bool)


def near(measured: Sequence[MeasuredTrial], rule: MatchRule) -> NDArray[np.bool_]:
    """Whether the pin's passages are at least read with what the search finds."""
    close = [not case.objected and max(case.cosines) >= rule.pin_near for case in measured]
    found: NDArray[np.bool_] = accepted(measured, rule) | np.array(close, dtype=bool)
    return found


def _chance(rule: MatchRule, case: MeasuredTrial) -> float:
    if max(case.cosines) < rule.judge_from:
        return 0.0
    return rule.chance(dict(zip(RISING, case.signs, strict=True)))


def _bar(measured: Sequence[MeasuredTrial], scores: Values) -> float:
    """The lowest chance that keeps false accepts within the budget: of the hard questions, and of all."""
    bars = []
    for is_counted in (lambda trial: trial.is_hard, lambda trial: not trial.is_same):
        scored = zip(measured, scores, strict=True)
        wrong = sorted((float(score) for case, score in scored if is_counted(case.trial)), reverse=True)
        bars.append(wrong[int(FITTED * len(wrong))])
    return round(max(bars) + 1e-4, 4)


def _judge_from(measured: Sequence[MeasuredTrial]) -> float:
    """The cosine below which a rewording is so rare that the judge is not asked."""
    cosines = [max(case.cosines) for case in measured if case.trial.is_same]
    return round(max(0.0, float(np.quantile(cosines, JUDGED_SAME))), 4)


def _weights(measured: Sequence[MeasuredTrial]) -> MatchRule:
    """A logistic model with non-negative weights, so that no sign of sameness lowers the chance."""
    x = np.array([case.signs for case in measured])
    y = np.array([1.0 if case.trial.is_same else -1.0 for case in measured])
    weight = np.array([OTHERS if case.trial.label == "other" else 1.0 for case in measured])
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-9
    scaled, weight = (x - mean) / spread, weight / weight.sum()

    def loss(parameters: Values) -> tuple[float, Values]:
        slope, bias = parameters[:-1], parameters[-1]
        margin = y * (scaled @ slope + bias)
        pull = weight * y / (1 + np.exp(margin))
        gradient = np.append(-(scaled.T @ pull) + 2 * PENALTY * slope, -pull.sum())
        return float((weight * np.logaddexp(0, -margin)).sum() + PENALTY * slope @ slope), gradient

    bounds = [(0, None) if rising else (None, 0) for rising in RISING.values()]
    found = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, bounds=[*bounds, (None, None)], method="L-BFGS-B").x
    slope = found[:-1] / spread
    weights = {name: round(float(value), 4) for name, value in zip(RISING, slope, strict=True) if abs(value) > 1e-4}
    return MatchRule(weights, round(float(found[-1] - slope @ mean), 4), 1.0, 0.0, 1.0, 1.0, 1.0, 1.0)
