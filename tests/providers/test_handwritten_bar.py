"""Whether a verifier passed the hand-written bar is stored with its weights."""

import json
import shutil
from dataclasses import replace

import pytest

from lectorium.providers.cross_encoder import CrossEncoder
from lectorium.providers.cross_encoder_weights import SHIPPED, load_calibration, store_calibration
from lectorium.providers.handwritten_bar import MOST_VERIFIED_FALSE, HandwrittenBar
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder


@pytest.fixture
def weights(tmp_path):
    """A folder with the shipped calibration and nothing else: no weights are read for the bar."""
    shutil.copy(SHIPPED / "calibration.json", tmp_path)
    return tmp_path


def stored(folder):
    return json.loads((folder / "calibration.json").read_text())


def with_bar(folder, share):
    bar = HandwrittenBar(share, "ab12")
    store_calibration(folder, replace(load_calibration(folder), handwritten=bar))
    return CrossEncoder(folder)


@pytest.mark.parametrize(("share", "passed"), [(0.0, True), (MOST_VERIFIED_FALSE, True), (0.021, False), (1.0, False)])
def test_the_bar_is_passed_by_at_most_two_falsehoods_of_a_hundred(weights, share, passed):
    assert with_bar(weights, share).passed_bar is passed
    assert stored(weights)["handwritten"] == {"verified_false_share": share, "passed": passed, "set": "ab12"}


def test_weights_that_were_not_measured_have_not_passed(weights):
    store_calibration(weights, replace(load_calibration(weights), handwritten=None))
    assert stored(weights)["handwritten"] is None
    assert not CrossEncoder(weights).passed_bar


def test_a_stored_word_of_having_passed_counts_less_than_the_stored_share(weights):
    with_bar(weights, 0.3)
    (weights / "calibration.json").write_text(
        json.dumps({**stored(weights), "handwritten": {"verified_false_share": 0.3, "passed": True, "set": "ab12"}})
    )
    assert not CrossEncoder(weights).passed_bar


def test_the_stand_in_of_the_tests_has_not_passed():
    assert not OverlapCrossEncoder().passed_bar
