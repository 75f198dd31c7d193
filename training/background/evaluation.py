"""Evaluates the averaged weights on held-back rows that are not used in any report."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor
from torch.func import functional_call

from lectorium.providers.cross_encoder_model import TASKS
from training.background.config import JobConfig
from training.background.learner import Learner
from training.background.row_files import RowFile
from training.background.shapes import ShapedRows, shaped_batch, size_of, token_counter
from training.evaluation.measures import auroc
from training.rows import GroundingRow, ReadingRow, Row

T = TypeVar("T")
ANSWERABILITY_SOURCE = "clips"  # as in the product


@dataclass(frozen=True, slots=True)
class HeldBackRows:
    """The rows of every evaluation of a job."""

    claims: dict[str, list[GroundingRow]]
    questions: list[ReadingRow]
    rivals: list[ReadingRow]


@dataclass(frozen=True, slots=True)
class PairScores:
    """The network's logits of support, answerability and relevance for a pair."""

    support: float
    answerability: float
    relevance: float


def held_back_rows(config: JobConfig, files: dict[str, RowFile]) -> HeldBackRows:
    """Draw rows from the "calibrate" split, the same ones every time."""
    rng = random.Random(config.seed)
    size = config.evaluation
    claims = {name: _balanced(files[name], size.claims, rng) for name in config.grounding if name in files}
    reading = [row for name in config.reading if name in files for row in _rows(files[name])]
    questions = [row for row in reading if isinstance(row, ReadingRow) and row.source == ANSWERABILITY_SOURCE]
    rivals = [row for row in reading if isinstance(row, ReadingRow) and _has_rivals(row)]
    return HeldBackRows(claims, _drawn(questions, size.questions, rng), _drawn(rivals, size.rivals, rng))


def evaluate(learner: Learner, rows: HeldBackRows) -> dict[str, Any]:
    """Figures of the averaged weights: AUROC of support, AUROC of answerability, relevance top-1."""
    config = learner.config
    found: dict[str, Any] = {}
    parts: list[tuple[float, float]] = []
    if config.reading_share < 1:
        sources = {name: _support_auroc(learner, claims) for name, claims in rows.claims.items()}
        macro = float(np.nanmean(list(sources.values())))
        found |= {"grounding": round(macro, 4), "sources": {name: round(value, 3) for name, value in sources.items()}}
        parts.append((1 - config.reading_share, macro))
    if config.reading_share > 0:
        answerability, top = _answerability_auroc(learner, rows.questions), _top_one(learner, rows.rivals)
        found |= {"answerability": round(answerability, 4), "top_one": round(top, 4)}
        parts.append((config.reading_share, (answerability + top) / 2))
    found["score"] = round(sum(weight * value for weight, value in parts), 4)
    return found


def pair_scores(learner: Learner, rows: Sequence[Row]) -> list[list[PairScores]]:
    """The scores of each row's pairs by the averaged weights, in order."""
    found: dict[int, list[PairScores]] = {}
    for places, shaped in _shaped(learner, rows):
        batch = shaped_batch(shaped, learner.tokenizer).to(learner.device)
        inputs = {**batch.inputs, "task": TASKS.index(batch.task)}
        with torch.no_grad(), learner.precision():
            logits = functional_call(learner.network, learner.average, (), inputs)
        support = support_logit(logits.grounding.float())
        columns = (support, logits.answerability.float(), logits.relevance.float())
        scored = [PairScores(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]
        groups = batch.group.tolist()
        for number, place in enumerate(places):
            found[place] = [score for score, group in zip(scored, groups, strict=True) if group == number]
    return [found[place] for place in range(len(rows))]


def _shaped(learner: Learner, rows: Sequence[Row]) -> Iterator[tuple[list[int], ShapedRows]]:
    """Batches of rows of one task in the fixed shapes of training, with the indices of the rows."""
    config = learner.config
    tokens_of = token_counter(learner.tokenizer, config.widths[-1])
    waiting: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        tokens = tokens_of(row)
        waiting.setdefault(next(width for width in config.widths if tokens <= width), []).append(place)
    for width, places in waiting.items():
        room = config.rows_at(width)
        while places:
            chosen = [places.pop(0)]
            while places and sum(size_of(rows[place]) for place in [*chosen, places[0]]) <= room:
                chosen.append(places.pop(0))
            yield chosen, ShapedRows([rows[place] for place in chosen], width, room)


def _support_auroc(learner: Learner, claims: Sequence[GroundingRow]) -> float:
    truth = np.array([float(row.label == "supported") for row in claims])
    return auroc(truth, np.array([scores[0].support for scores in pair_scores(learner, claims)]))


def _answerability_auroc(learner: Learner, rows: Sequence[ReadingRow]) -> float:
    pairs = [
        (float(bool(passage.answerable)), score.answerability)
        for row, scores in zip(rows, pair_scores(learner, rows), strict=True)
        for passage, score in zip(row.passages, scores, strict=True)
        if passage.answerable is not None
    ]
    return auroc(np.array([truth for truth, _ in pairs]), np.array([score for _, score in pairs]))


def _top_one(learner: Learner, rows: Sequence[ReadingRow]) -> float:
    """The share of questions whose passage with the highest score is relevant."""
    hits = [
        row.passages[max(range(len(scores)), key=lambda place: scores[place].relevance)].relevant
        for row, scores in zip(rows, pair_scores(learner, rows), strict=True)
    ]
    return sum(map(bool, hits)) / len(hits) if hits else math.nan


def support_logit(grounding: Tensor) -> Tensor:
    """The log odds that a claim is supported, shape (n,), from the logits of GROUNDING_LABELS, (n, 3)."""
    return grounding[:, 0] - torch.logsumexp(grounding[:, 1:], dim=-1)


def _has_rivals(row: ReadingRow) -> bool:
    known = {passage.relevant for passage in row.passages}
    return len(row.passages) > 1 and {True, False} <= known


def _balanced(file: RowFile, most: int, rng: random.Random) -> list[GroundingRow]:
    rows = [row for row in _rows(file) if isinstance(row, GroundingRow)]
    true = [row for row in rows if row.label == "supported"]
    false = [row for row in rows if row.label != "supported"]
    return [*_drawn(true, most // 2, rng), *_drawn(false, most - most // 2, rng)]


def _rows(file: RowFile) -> Iterator[Row]:
    return (file[place] for place in range(len(file)))


def _drawn(rows: Sequence[T], most: int, rng: random.Random) -> list[T]:
    return rng.sample(list(rows), min(most, len(rows)))
