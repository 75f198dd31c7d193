"""Fits the coverage gate on labelled questions: the weights of the signals in its two chances, and the thresholds."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from audit.domain.metrics import Share
from chat.answering.domain.clip_order import CLIP_SIGNALS
from chat.answering.domain.evidence.coverage import Calibration
from evaluation.calibration.labelled import LabelledQuestion
from evaluation.calibration.monotone import FOLDS, cross_validated
from evaluation.domain.ranking import ScoredQuestion
from lectorium.providers.registry import clip_reader, reader

# What is weighed where the reader judged clips. The closeness of the best sentence and the share of known words helped
# on the questions they were fitted on, and not on those of other authors (docs/thresholds.md, "The gate").
WITH_CLIPS = CLIP_SIGNALS | {"names_share"}
UNWEIGHED = frozenset({"names_share"})  # elsewhere: it gained nothing (AUROC 0.784 with it, 0.786 without)
# Total weight of each kind of question, so that the many easy questions do not outweigh the hard ones. Served are those
# whose answer is shown; beside are the answerable ones that would be shown something else.
WEIGHTS = MappingProxyType({"served": 0.50, "beside": 0.15, "near": 0.25, "off_topic": 0.10})
BUDGET = 0.05  # share of unanswerable near misses that may be answered
LIKELY = 0.15  # share of near misses that may be answered, or get a closest passage that is called a likely answer
OUTSIDE = 0.01  # share of answerable questions that may be classed as off topic, and get no second search
GOLDEN_SECTIONS = ("A", "B", "C")
ELSEWHERE = 0.20  # share of off-topic questions that may get a closest passage


@dataclass(frozen=True, slots=True)
class FittedGate:
    """A fitted gate and its questions.

    chances, subjects: out-of-fold predictions of the chance that a question is answered, and that the corpus speaks of
    what it asks; by fits without the question's lecture.
    """

    calibration: Calibration
    questions: Sequence[LabelledQuestion]
    chances: Sequence[float]
    subjects: Sequence[float]

    def of_kind(self, kind: str) -> list[ScoredQuestion]:
        return self._scored(lambda question: question.kind == kind)

    @property
    def near(self) -> list[ScoredQuestion]:
        """Questions about the corpus."""
        return self._scored(lambda question: question.is_near)

    @property
    def golden(self) -> list[ScoredQuestion]:
        """Questions of the golden set."""
        return self._scored(lambda question: question.section in GOLDEN_SECTIONS)

    @property
    def at_the_bar(self) -> tuple[Share, Share]:
        """Shares of `near` answered at the stored threshold: of the answerable, and of the unanswerable."""
        bar = self.calibration.answer_from
        answered, hallucinated = (
            Share.of(question.score >= bar for question in self.near if question.answerable is wanted)
            for wanted in (True, False)
        )
        return answered, hallucinated

    @property
    def served(self) -> Share:
        """Of the answerable questions answered at the stored threshold, those whose answer is shown."""
        pairs = zip(self.questions, self.chances, strict=True)
        bar = self.calibration.answer_from
        return Share.of(question.served for question, chance in pairs if question.answerable and chance >= bar)

    @property
    def likely(self) -> Share:
        """Of the questions about the corpus whose closest passage is called a likely answer, those it answers."""
        likely = [
            question.served
            for question, chance in zip(self.questions, self.chances, strict=True)
            if question.is_near and self.calibration.is_likely(chance)
        ]
        return Share.of(likely)

    def shown(self, kind: str) -> Share:
        """Of the questions of a kind, those that get closest passages where they get no answer."""
        pairs = zip(self.questions, self.subjects, strict=True)
        closest_from = self.calibration.closest_from or 0.0
        return Share.of(subject >= closest_from for question, subject in pairs if question.kind == kind)

    def _scored(self, wanted: Callable[[LabelledQuestion], bool]) -> list[ScoredQuestion]:
        pairs = zip(self.questions, self.chances, strict=True)
        return [ScoredQuestion(chance, question.answerable) for question, chance in pairs if wanted(question)]


def fit(
    measured: Sequence[tuple[LabelledQuestion, dict[str, float]]], budget: float, data: Iterable[Path]
) -> FittedGate:
    """Fit the weights, and the lowest threshold that answers at most `budget` (0..1) of the unanswerable near misses.

    The chance is that what is shown answers the question, not that something in the corpus would. From `likely_from` on
    a closest passage is called a likely answer; a share of LIKELY of the near misses reaches it.
    The second chance is that the corpus speaks of what is asked: it tells the answerable questions from those off
    topic, and near misses take no part. From `closest_from` on, the closest passage is shown; a share of ELSEWHERE of
    the off-topic questions reaches it. Below `outside_below` a question counts as off topic; this happens to a share
    of OUTSIDE of the answerable questions.

    Weights are not negative: signals with a negative weight are dropped. Thresholds and all figures in the evidence use
    out-of-fold predictions, so no question is judged by a fit that saw its lecture.
    """
    names = sorted({name for _, signals in measured for name in signals})
    x = np.array([[signals.get(name, 0.0) for name in names] for _, signals in measured])
    y = np.array([question.answerable for question, _ in measured])
    served = y & np.array([question.served for question, _ in measured])
    if not served.any():  # no reader judged clips, so nothing is known of what would be shown
        served = y
    groups = np.array([question.group for question, _ in measured])
    off_topic = np.array([not question.is_near for question, _ in measured])
    used = WITH_CLIPS if CLIP_SIGNALS.issubset(names) else set(names) - UNWEIGHED
    weighed = [column for column, name in enumerate(names) if name in used]
    answering = cross_validated(x, served, _balanced(measured), groups, weighed)
    about = cross_validated(x, y, _halved(y, off_topic), groups, range(len(names)))
    bar = _bar(answering.unseen, y, off_topic, budget)
    likely = min(bar, _bar(answering.unseen, y, off_topic, LIKELY))
    outside = float(np.quantile(about.unseen[y], OUTSIDE))
    closest = float(np.quantile(about.unseen[off_topic], 1 - ELSEWHERE))
    calibration = Calibration(
        weights=answering.named(names),
        bias=round(answering.bias, 4),
        subject=about.named(names),
        subject_bias=round(about.bias, 4),
        answer_from=round(bar, 4),
        outside_below=round(outside, 4),
        closest_from=round(closest, 4),
        likely_from=round(likely, 4),
        evidence={
            **_evidence(measured, names, x, y, answering.unseen, bar, budget, data),
            "reader": reader().name,
            "answered_served": round(float(served[y & (answering.unseen >= bar)].mean()), 3),
            **_subject_evidence(about.unseen, y, off_topic, outside, closest),
            "clip_reader": judge.name if (judge := clip_reader()) else "",
        },
    )
    questions = [question for question, _ in measured]
    return FittedGate(calibration, questions, answering.unseen.tolist(), about.unseen.tolist())


def _balanced(measured: Sequence[tuple[LabelledQuestion, dict[str, float]]]) -> NDArray[np.float64]:
    """Question weights with mean 1, such that the weights of a kind sum to its share in WEIGHTS."""
    kinds = [_weighed_as(question) for question, _ in measured]
    there = sum(WEIGHTS[kind] for kind in set(kinds))
    return np.array([WEIGHTS[kind] / there * len(kinds) / kinds.count(kind) for kind in kinds])


def _halved(y: NDArray[np.bool_], off_topic: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Question weights: the answerable ones together as much as those off topic, and the others nothing."""
    rows = y.sum() + off_topic.sum()
    return np.asarray(rows / 2 * (y / max(1, y.sum()) + off_topic / max(1, off_topic.sum())))


def _weighed_as(question: LabelledQuestion) -> str:
    if question.answerable:
        return "served" if question.served else "beside"
    return "near" if question.is_near else "off_topic"


def _bar(chance: NDArray[Any], y: NDArray[Any], off_topic: NDArray[Any], budget: float) -> float:
    """The lowest threshold at which at most `budget` of the near misses are answered."""
    hard = np.sort(chance[~y & ~off_topic])
    allowed = int(budget * len(hard))
    return float(hard[len(hard) - allowed - 1]) + 1e-4


def _evidence(
    measured: Sequence[tuple[LabelledQuestion, dict[str, float]]],
    names: Sequence[str],
    x: NDArray[Any],
    y: NDArray[Any],
    unseen: NDArray[Any],
    bar: float,
    budget: float,
    data: Iterable[Path],
) -> dict[str, object]:
    hard = np.array([question.is_near for question, _ in measured])
    answered = unseen >= bar
    return {
        "data": {
            f"{path.parent.name}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in data
        },
        "questions": {"answerable": int(y.sum()), "near": int((~y & hard).sum()), "off_topic": int((~hard).sum())},
        "cross_validated": f"{FOLDS} folds by lecture",
        "budget": budget,
        "auroc": round(float(roc_auc_score(y[hard], unseen[hard])), 3),
        "auroc_off_topic": round(float(roc_auc_score(y[y | ~hard], unseen[y | ~hard])), 3),
        "auroc_by_signal": {
            name: round(float(roc_auc_score(y[hard], x[hard, column])), 3) for column, name in enumerate(names)
        },
        "auroc_from_a": _from_section_a(measured, names, x, y, unseen),
        "answerable_answered": round(float(answered[y].mean()), 3),
        "near_answered": round(float(answered[~y & hard].mean()), 3),
        "off_topic_answered": round(float(answered[~hard].mean()), 3),
    }


def _subject_evidence(
    unseen: NDArray[Any], y: NDArray[Any], off_topic: NDArray[Any], outside: float, closest: float
) -> dict[str, float]:
    """How well the chance of the subject tells questions apart, and which share of each sort reaches a bar."""
    shares = {
        "off_topic_outside": unseen[off_topic] < outside,
        "answerable_at_least_closest": unseen[y] >= closest,
        "near_at_least_closest": unseen[~y & ~off_topic] >= closest,
    }
    auroc = roc_auc_score(y[y | off_topic], unseen[y | off_topic])
    return {"auroc_subject": round(float(auroc), 3)} | {
        name: round(float(reached.mean()), 3) for name, reached in shares.items()
    }


def _from_section_a(
    measured: Sequence[tuple[LabelledQuestion, dict[str, float]]],
    names: Sequence[str],
    x: NDArray[Any],
    y: NDArray[Any],
    unseen: NDArray[Any],
) -> dict[str, dict[str, float]]:
    """AUROC of the gate and of each signal: section A against B ("unanswerable"), and against C's false twins."""
    sections = np.array([question.section for question, _ in measured])
    columns = {"all, cross-validated": unseen, **{name: x[:, column] for column, name in enumerate(names)}}
    found = {}
    for contrast, section in (("unanswerable", "B"), ("false twins", "C")):
        chosen = (sections == "A") | ((sections == section) & ~y)
        if 0 < y[chosen].sum() < chosen.sum():
            found[contrast] = {
                name: round(float(roc_auc_score(y[chosen], scores[chosen])), 3) for name, scores in columns.items()
            }
    return found
