"""Fits the rule by which questions meet pins, and measures it on questions that the fit did not see."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.model_selection import GroupKFold

from corpus.language import lexemes
from curation.domain.sameness import MatchRule, chance_of, has_same_words, objection_to, signs_of
from curation.matching.likeness import judged_places
from evaluation.curation.pairs import WORDINGS, PinTrial
from evaluation.curation.tail import exceeded_by

FALSE_ACCEPTS = 0.005  # share of questions that ask something else and may be accepted
FITTED = 0.6 * FALSE_ACCEPTS  # of the fitted half: by folds, this keeps all that ask something else within the budget
WRONGLY_NEAR = 0.1  # share of them that may come near: a reader is then offered the pin
STRONG = 0.001  # share of questions about other things whose cosine may make a note strong
FOLDS = 5
PENALTY = 0.003
OTHERS = 0.3  # weight of a question about something else: they are easy
RISING = {"same": True, "same_mean": True, "objected": False}
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
    def signs(self) -> dict[str, float]:
        return signs_of(self.chances, objected=self.objected)


def settled_by_words(trial: PinTrial) -> bool:
    return any(has_same_words(trial.question, phrasing, lexemes) for phrasing in trial.phrasings)


def objected(trial: PinTrial, cosines: NDArray[np.float32]) -> bool:
    return bool(objection_to(trial.question, trial.phrasings[int(cosines.argmax())], trial.phrasings, lexemes))


def judged_pairs(trial: PinTrial, cosines: NDArray[np.float32]) -> list[tuple[str, str]]:
    """The pairs that the judge reads of a trial."""
    return [(trial.phrasings[place], trial.question) for place in judged_places(cosines)]


def fit_rule(measured: Sequence[MeasuredTrial], cross: NDArray[np.float32], *, has_judge: bool) -> MatchRule:
    """The rule with the lowest bars that keep false accepts within FITTED, on folds the weights did not see.

    cross: cosines of questions about different things. The bars of notes are for `note_fit`. Without a judge, only the
    words of a phrasing meet a pin, and the cosine tells what is near.
    """
    far = float(np.quantile(cross, 1 - FALSE_ACCEPTS))
    strong = float(np.quantile(cross, 1 - STRONG))
    rule = MatchRule({}, 0.0, {}, _judge_from(measured), round(far, 4), 1.0, 1.0, round(strong, 4))
    if not has_judge:
        return rule
    cases = [case for case in measured if not case.settled]
    scores = _scores_by_folds(cases)
    bars = {str(wordings): chance_of(_bar(cases, scores, wordings)) for wordings in WORDINGS}
    weights, bias = _weights(cases)
    return replace(
        rule,
        weights=weights,
        bias=bias,
        accept={wordings: _rounded_up(bar) for wordings, bar in bars.items()},
        near=_rounded_up(chance_of(_near_bar(cases, scores))),
    )


def accepted(measured: Sequence[MeasuredTrial], rule: MatchRule) -> NDArray[np.bool_]:
    found = [(case.settled, _verdict(rule, case)) for case in measured]
    return np.array([settled or chance >= bar for settled, (chance, bar) in found], dtype=bool)


def near(measured: Sequence[MeasuredTrial], rule: MatchRule) -> NDArray[np.bool_]:
    """Whether the pin answers, or is at least offered and its passages read with what the search finds."""
    if rule.weights:
        close = [_verdict(rule, case)[0] >= rule.near for case in measured]
    else:
        close = [not case.objected and max(case.cosines) >= rule.near for case in measured]
    found: NDArray[np.bool_] = accepted(measured, rule) | np.array(close, dtype=bool)
    return found


def _verdict(rule: MatchRule, case: MeasuredTrial) -> tuple[float, float]:
    if not rule.weights or max(case.cosines) < rule.judge_from:
        return 0.0, 1.0
    return rule.verdict(case.chances, objected=case.objected)


def _scores_by_folds(cases: Sequence[MeasuredTrial]) -> Values:
    """The log odds of each case, by weights fitted on other pins."""
    scores = np.zeros(len(cases))
    groups = [case.trial.group for case in cases]
    for train, test in GroupKFold(FOLDS).split(scores, groups=groups):
        weights, bias = _weights([cases[place] for place in train])
        scores[test] = [_log_odds(weights, bias, cases[place]) for place in test]
    return scores


def _log_odds(weights: dict[str, float], bias: float, case: MeasuredTrial) -> float:
    return bias + sum(weight * case.signs[name] for name, weight in weights.items())


def _bar(cases: Sequence[MeasuredTrial], scores: Values, wordings: int) -> float:
    """The log odds that FITTED of the mistaken questions exceed, where a pin has so many wordings.

    Of those written to be mistaken and of all that ask something else, the higher.
    """
    asked = [(case.trial, len(case.trial.phrasings) == wordings) for case in cases]
    hard = [is_asked and trial.is_hard for trial, is_asked in asked]
    wrong = [is_asked and not trial.is_same for trial, is_asked in asked]
    return max(exceeded_by(FITTED, scores[chosen]) for chosen in (hard, wrong))


def _near_bar(cases: Sequence[MeasuredTrial], scores: Values) -> float:
    chosen = ([case.trial.is_hard for case in cases], [not case.trial.is_same for case in cases])
    return max(float(np.quantile(scores[some], 1 - WRONGLY_NEAR)) for some in chosen)


def _rounded_up(chance: float) -> float:
    return math.ceil(chance * 1e4) / 1e4


def _judge_from(measured: Sequence[MeasuredTrial]) -> float:
    """The cosine below which a rewording is so rare that the judge is not asked."""
    cosines = [max(case.cosines) for case in measured if case.trial.is_same]
    return round(max(0.0, float(np.quantile(cosines, JUDGED_SAME))), 4)


def _weights(measured: Sequence[MeasuredTrial]) -> tuple[dict[str, float], float]:
    """The weights and bias of a logistic model in which no sign of sameness lowers the chance."""
    x = np.array([[case.signs[name] for name in RISING] for case in measured])
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
    return weights, round(float(found[-1] - slope @ mean), 4)
