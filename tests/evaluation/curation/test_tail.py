"""Where scores end is told from their high ones together."""

import numpy as np
import pytest

from evaluation.curation.tail import exceeded_by


@pytest.mark.parametrize("share", [0.003, 0.01, 0.05])
@pytest.mark.parametrize("shape", ["normal", "logistic", "gumbel"])
def test_the_share_of_further_scores_beyond_the_bar_is_about_the_one_asked_for(shape, share):
    chance = np.random.default_rng(3)
    bars = [exceeded_by(share, getattr(chance, shape)(size=400)) for _ in range(60)]
    further = getattr(chance, shape)(size=100_000)
    beyond = np.mean([(further > bar).mean() for bar in bars])
    assert share / 1.6 < beyond < 1.6 * share


def test_one_outlier_moves_the_bar_less_than_it_moves_the_highest_score():
    scores = np.random.default_rng(3).normal(size=400)
    moved = exceeded_by(0.003, np.append(scores, 8.0)) - exceeded_by(0.003, scores)
    assert 0 < moved < (8.0 - scores.max()) / 2


@pytest.mark.parametrize("scores", [np.zeros(100), np.arange(8.0)])
def test_scores_that_are_few_or_equal_are_refused(scores):
    with pytest.raises(ValueError, match="too few, or too equal"):
        exceeded_by(0.003, scores)
