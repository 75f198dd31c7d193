"""Measures the answerability head: abstain score, answers at each threshold, and golden near misses."""

import copy
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from lectorium.providers.cross_encoder import CrossEncoder
from training.build.reading import SQUAD2_TEST
from training.calibrate import SPAN_SHARE
from training.evaluation.measures import (
    answer_words,
    answered_at_coverage,
    auroc,
    average,
    calibration_error,
    estimate,
    word_f1,
)
from training.evaluation.testsets import lecture_questions, squad_questions
from training.rows import read_json_lines

COVERAGES = (0.70, 0.80)
Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReadingAnswer:
    """A question's right answers ([] if it has none), the answer found, and its answerability, 0..1."""

    golds: list[str]
    found: str
    answerability: float


def answerability(model: CrossEncoder, data: Path, *, rows: int) -> Result:
    """SQuAD 2's held-back articles: the abstain score, and the answers at the shipped and the full threshold."""
    passages, questions = squad_questions(data, SQUAD2_TEST)
    questions = random.Random(7).sample(questions, min(rows, len(questions)))
    return measured(answers(model, passages, questions), model.calibration.answered)


def answers(model: CrossEncoder, passages: dict[str, str], questions: Sequence[dict[str, Any]]) -> list[ReadingAnswer]:
    """The model's answer to each question from its passage, at any answerability."""
    pointing = copy.copy(model)
    pointing.__dict__["calibration"] = replace(model.calibration, answered=0.0)
    found = []
    for row in questions:
        passage = passages[row["passage_id"]]
        reading = pointing.read(row["question"], [passage])[0]
        golds = [] if row["is_impossible"] else list(row["answers"])
        found.append(ReadingAnswer(golds, passage[slice(*reading.span)] if reading.span else "", reading.answerability))
    return found


def measured(rows: Sequence[ReadingAnswer], bar: float) -> Result:
    """Measures of the abstain score, and under "answers" those of the answers at each threshold."""
    truth, scores = [float(bool(row.golds)) for row in rows], [row.answerability for row in rows]
    return {
        "auroc": asdict(estimate(auroc, truth, scores)),
        "ece": asdict(estimate(calibration_error, truth, scores)),
        **{
            f"unanswerable_answered_at_{coverage:.2f}": asdict(
                estimate(partial(answered_at_coverage, coverage=coverage), truth, scores, rounds=200)
            )
            for coverage in COVERAGES
        },
        "answers": {f"{at:.2f}": _at(rows, at) for at in (bar, bar / SPAN_SHARE)},
    }


def _at(rows: Sequence[ReadingAnswer], bar: float) -> Result:
    given = [row.found if row.answerability >= bar else "" for row in rows]
    exact = [
        float(max(answer_words(text) == answer_words(gold) for gold in row.golds or [""]))
        for row, text in zip(rows, given, strict=True)
    ]
    overlap = [max(word_f1(text, gold) for gold in row.golds or [""]) for row, text in zip(rows, given, strict=True)]
    has = [place for place, row in enumerate(rows) if row.golds]
    none = [place for place, row in enumerate(rows) if not row.golds]
    return {
        "exact": asdict(average(exact)),
        "f1": asdict(average(overlap)),
        "has_answer_exact": asdict(average([exact[place] for place in has])),
        "has_answer_f1": asdict(average([overlap[place] for place in has])),
        "no_answer_accuracy": asdict(average([exact[place] for place in none])),
    }


def twins(model: CrossEncoder, data: Path) -> Result:
    """Golden near-miss pairs: answerable questions against their false twins over the same gold paragraphs."""
    passages, _ = lecture_questions(data)
    rows = [row for row in read_json_lines(data / "golden/dev.jsonl") if row.get("pair")]
    gold = {row["pair"]: row["gold"] for row in rows if row.get("gold")}
    truth, scores = [], []
    for row in rows:
        texts = [passages[address] for address in gold.get(row["pair"], []) if address in passages]
        if texts:
            truth.append(float(row["answerable"]))
            scores.append(max(reading.answerability for reading in model.read(row["question"], texts)))
    return {"auroc": asdict(estimate(auroc, truth, scores))}
