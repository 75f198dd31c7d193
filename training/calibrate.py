"""Fits the maps from logits to probabilities, and the thresholds, on the rows held back for calibration."""

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np

from lectorium.providers.cross_encoder import CrossEncoder
from lectorium.providers.cross_encoder_weights import WeightsCalibration, store_calibration
from training.config import TrainingConfig
from training.evaluation.measures import balanced_accuracy
from training.rows import GroundingRow, ReadingRow, read_rows

# Kinds of claim that occur in the product: written or restated by someone, against one passage.
CLAIM_SOURCES = ("fever", "fool_me_twice", "faithdial", "declarative", "wice", "written_claims")
QUESTION_SOURCES = ("squad2", "retrieval", "clapnq", "written_questions", "clips", "found")
ROWS = 250  # per source
SEED = 20261121
# Share of the fitted threshold from which a span is given. The span only decides which quoted sentence leads, and from
# half the threshold on, the lead contains the answer more often than from the full one (docs/thresholds.md).
SPAN_SHARE = 0.5


def calibrate(config: TrainingConfig, folder: Path) -> WeightsCalibration:
    """Fit and write the calibration of a weights folder."""
    found = fit_calibration(CrossEncoder(folder), config.data, seed=config.seed)
    store_calibration(folder, found)
    return found


def fit_calibration(model: CrossEncoder, data: Path, *, seed: int = SEED) -> WeightsCalibration:
    """Fit a reader's logistic maps and thresholds on the calibration rows."""
    neutral = WeightsCalibration(model.calibration.version, (1.0, 0.0), (1.0, 0.0), 0.5, 0.5)
    model.__dict__["calibration"] = neutral
    truth, logits = _claims(model, data, seed)
    support = _fit(truth, logits)
    supported = _best_threshold(truth, [_logistic(logit, support) for logit in logits])
    truth, logits = _questions(model, data, seed)
    answerability = _fit(truth, logits)
    answered = _best_threshold(truth, [_logistic(logit, answerability) for logit in logits])
    answered = round(answered * SPAN_SHARE, 3)
    return replace(neutral, support=support, answerability=answerability, supported=supported, answered=answered)


def _claims(model: CrossEncoder, data: Path, seed: int) -> tuple[list[float], list[float]]:
    rng = random.Random(seed)
    rows: list[GroundingRow] = []
    for source in CLAIM_SOURCES:
        kept = [row for row in read_rows(data / f"{source}.jsonl") if row.split == "calibrate"]
        rows += [row for row in rng.sample(kept, min(ROWS, len(kept))) if isinstance(row, GroundingRow)]
    judged = model.verify([(row.evidence, row.claim) for row in rows])
    return [float(row.label == "supported") for row in rows], [_logit(judgement.support) for judgement in judged]


def _questions(model: CrossEncoder, data: Path, seed: int) -> tuple[list[float], list[float]]:
    rng = random.Random(seed)
    truth: list[float] = []
    logits: list[float] = []
    for source in QUESTION_SOURCES:
        kept = [row for row in read_rows(data / f"{source}.jsonl") if row.split == "calibrate"]
        for row in rng.sample(kept, min(ROWS, len(kept))):
            assert isinstance(row, ReadingRow)
            passage = next((passage for passage in row.passages if passage.answerable is not None), None)
            if passage:
                truth.append(float(bool(passage.answerable)))
                logits.append(_logit(model.read(row.question, [passage.text])[0].answerability))
    return truth, logits


def _fit(truth: list[float], logits: list[float]) -> tuple[float, float]:
    from sklearn.linear_model import LogisticRegression

    # Both classes have the same weight, so that 0.5 means even odds for any mix.
    fitted = LogisticRegression(C=1e4, class_weight="balanced").fit(np.array(logits)[:, None], np.array(truth))
    return round(float(fitted.coef_[0, 0]), 4), round(float(fitted.intercept_[0]), 4)


def _best_threshold(truth: list[float], scores: list[float]) -> float:
    true, score = np.array(truth), np.array(scores)
    return float(max(np.arange(0.2, 0.9, 0.01).round(2), key=lambda t: balanced_accuracy(float(t))(true, score)))


def _logit(probability: float) -> float:
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(bounded / (1 - bounded))


def _logistic(logit: float, line: tuple[float, float]) -> float:
    return 1 / (1 + math.exp(-(line[0] * logit + line[1])))
