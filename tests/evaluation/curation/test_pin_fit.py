"""The bars of pins keep mistaken questions out, also those of pins that the fit did not see."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.curation.pairs import WORDINGS, PinTrial
from evaluation.curation.pin_fit import MeasuredTrial, accepted, fit_rule, near

MEANS = {"same": 2.0, "same_topic": -1.0, "opposite": -1.0, "other": -4.0}
CROSS = np.linspace(-0.2, 0.5, 1000, dtype=np.float32)


def measured(seed):
    """Trials of forty pins, whose judge is mostly right."""
    chance = np.random.default_rng(seed)
    return [
        MeasuredTrial(
            PinTrial(group, ("A wording",) * wordings, "A question", label),
            tuple(chance.uniform(0.2, 0.9, wordings)),
            tuple(1 / (1 + np.exp(-chance.normal(mean, 1.5, wordings)))),
            settled=False,
            objected=mean == -1.0 and bool(chance.random() < 0.7),
        )
        for group in range(40)
        for label, mean in MEANS.items()
        for wordings in WORDINGS
        for _ in range(3)
    ]


def shares(found, trials, wordings=WORDINGS):
    """The shares of the rewordings and of the mistaken questions."""
    rows = [(case.trial.is_same, hit) for case, hit in zip(trials, found, strict=True) if _has(case, wordings)]
    return [np.mean([hit for same, hit in rows if same is wanted]) for wanted in (True, False)]


def _has(case, wordings):
    return len(case.trial.phrasings) in wordings


def test_on_pins_that_the_fit_did_not_see_mistaken_questions_stay_within_the_budget():
    rule, unseen = fit_rule(measured(1), CROSS, has_judge=True), measured(2)
    taken, close = accepted(unseen, rule), near(unseen, rule)
    right, wrong = shares(taken, unseen)
    assert right > 0.3
    assert wrong <= 0.01
    assert shares(close, unseen)[0] > right
    assert shares(close, unseen)[1] < 0.2
    assert (close | ~taken).all()


def test_more_wordings_meet_more_rewordings():
    rule, unseen = fit_rule(measured(1), CROSS, has_judge=True), measured(2)
    found = [shares(accepted(unseen, rule), unseen, (wordings,))[0] for wordings in WORDINGS]
    assert found == sorted(found)


@pytest.mark.parametrize("settled", [True, False])
def test_without_a_judge_only_the_words_are_enough_and_a_cosine_is_near(settled):
    trials = [replace(case, chances=(), settled=settled) for case in measured(1)]
    rule = fit_rule(trials, CROSS, has_judge=False)
    assert accepted(trials, rule).all() == accepted(trials, rule).any() == settled
    assert rule.near == pytest.approx(np.quantile(CROSS, 0.995), abs=1e-3)
