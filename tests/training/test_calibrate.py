import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from lectorium.providers.cross_encoder_weights import load_calibration
from lectorium.providers.protocols import Judgement, Reading
from training import calibrate
from training.config import load_config
from training.rows import GroundingRow, PassageRow, ReadingRow, write_rows

SLOPE, OFFSET = 0.5, -1.0  # of the map from the stand-in's logits to the truth's


class Scores:
    """A model whose score of a text is the number at its end."""

    def __init__(self, folder):
        self.calibration = load_calibration(folder)

    def verify(self, pairs):
        return [Judgement("not_mentioned", _logistic(float(claim.split()[-1])), 0.0, None) for _, claim in pairs]

    def read(self, question, passages):
        return [Reading(0.0, _logistic(float(question.split()[-1])), None) for _ in passages]


def _logistic(logit):
    return 1 / (1 + math.exp(-logit))


def rows_of(make):
    """Twenty rows for each logit -4..8, of which the map's share is true."""
    for logit in range(-4, 9):
        true = round(20 * _logistic(SLOPE * logit + OFFSET))
        yield from (make(logit, number < true) for number in range(20))


@pytest.fixture
def config(tmp_path, monkeypatch):
    found = replace(load_config(Path("training/config.toml")), data=tmp_path / "data")
    monkeypatch.setattr(calibrate, "CrossEncoder", Scores)
    monkeypatch.setattr(calibrate, "CLAIM_SOURCES", ("claims",))
    monkeypatch.setattr(calibrate, "QUESTION_SOURCES", ("questions",))
    monkeypatch.setattr(calibrate, "ROWS", 1000)
    write_rows(found.data / "claims.jsonl", [*rows_of(claim), claim(-50, True, split="train")])
    write_rows(found.data / "questions.jsonl", [*rows_of(question), question(-50, True, split="test")])
    neutral = {"version": "abc", "support": [1, 0], "answerability": [1, 0], "supported": 0.5, "answered": 0.5}
    (tmp_path / "calibration.json").write_text(json.dumps(neutral))
    return found


def claim(logit, true, *, split="calibrate"):
    return GroundingRow("claims", split, f"It rained {logit}", "It rained.", "supported" if true else "contradicted")


def question(logit, true, *, split="calibrate"):
    passages = [PassageRow("Cats sleep.", False), PassageRow("It rained.", None, true)]
    return ReadingRow("questions", split, f"Did it rain {logit}", passages)


def test_the_maps_are_fitted_on_calibration_rows_only(config, tmp_path):
    found = calibrate.calibrate(config, tmp_path)
    for slope, _ in (found.support, found.answerability):
        assert slope == pytest.approx(SLOPE, abs=0.05)


def test_the_calibration_is_stored_with_the_weights_version(config, tmp_path):
    found = calibrate.calibrate(config, tmp_path)
    assert load_calibration(tmp_path) == found
    assert found.version == "abc"


def test_a_span_is_given_from_half_the_best_threshold(config, tmp_path):
    found = calibrate.calibrate(config, tmp_path)
    assert found.support == found.answerability
    assert found.answered == pytest.approx(found.supported * calibrate.SPAN_SHARE)
