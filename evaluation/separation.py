"""Measures how well a single score of a pool separates answerable from unanswerable golden questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from audit.domain.metrics import Share
from evaluation.domain.ranking import ScoredQuestion, lowest_bar, separation
from lectorium.report_table import table

SIGNALS: Mapping[str, str] = MappingProxyType(
    {
        "similarity": "best cosine",
        "relevance": "best rerank score (the cross-encoder's relevance)",
        "answerability": "best answerability",
    }
)
FOLDS = 5
UNCALIBRATED = (0.55, 0.65)  # values of the reference scale (shared/design/pipeline.md), from another embedder
BUDGET = 0.10  # share of unanswerable questions above the threshold; of fewer than fifty, a lower share is one or two
COLUMNS = ("signal", "A from B", "A from false twins", "A answered", "B answered", "false twins answered")


@dataclass(frozen=True, slots=True)
class QuestionSignals:
    """A golden question's section, its group for cross-validation, and the best value of each signal in its pool."""

    section: str
    group: str
    best: Mapping[str, float]


def best_signals(found: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """The best value of each signal over the rows of `asking.explain`; 0 if no row has it."""
    rows = list(found)
    return {name: max((row[name] for row in rows if row[name] is not None), default=0.0) for name in SIGNALS}


def signals_of(row: Mapping[str, Any], group: str, found: Iterable[Mapping[str, Any]]) -> QuestionSignals | None:
    """The signals of a golden row from the rows of `asking.explain`; None if its answer does not depend on them.

    That holds for addresses, which are looked up, and for underspecified questions, which are asked back. The true side
    of a near-miss pair is left out too, since it does not belong to section A.
    """
    if row.get("kind") == "address" or row.get("category") == "underspecified":
        return None
    if row["section"] == "C" and row["answerable"]:
        return None
    return QuestionSignals(row["section"], group, best_signals(found))


def separation_lines(asked: Sequence[QuestionSignals]) -> list[str]:
    """Each signal's AUROC, A against B and against false twins, and the shares answered by a threshold on it."""
    sizes = {section: sum(signals.section == section for signals in asked) for section in "ABC"}
    return [
        f"How well a single score of the pool separates the {sizes['A']} answerable questions of A (no addresses) from "
        f"the {sizes['B']} of B (none underspecified) and from the {sizes['C']} false twins of C: AUROC, without any "
        f"fit; and the shares answered by a threshold on that score, set on {FOLDS - 1} of {FOLDS} folds of the "
        f"lectures so that at most {BUDGET:.0%} of the unanswerable questions pass, and counted on the remaining fold.",
        "",
        *table(
            COLUMNS,
            [
                *(_signal_row(asked, name, words) for name, words in SIGNALS.items()),
                *(_uncalibrated_row(asked, bar) for bar in UNCALIBRATED),
            ],
            right=COLUMNS[1:3],
        ),
    ]


def passed(asked: Sequence[QuestionSignals], signal: str) -> list[bool]:
    """Whether each question is above a threshold that was set on the other folds."""
    groups = list(dict.fromkeys(signals.group for signals in asked))
    fold_of = {group: place % FOLDS for place, group in enumerate(groups)}
    folds = [fold_of[signals.group] for signals in asked]
    scored = [ScoredQuestion(signals.best[signal], signals.section == "A") for signals in asked]
    bars = [
        lowest_bar((question for question, fold in zip(scored, folds, strict=True) if fold != left_out), BUDGET)
        for left_out in range(FOLDS)
    ]
    return [question.score > bars[fold] for question, fold in zip(scored, folds, strict=True)]


def _signal_row(asked: Sequence[QuestionSignals], signal: str, words: str) -> tuple[object, ...]:
    scored: dict[str, list[ScoredQuestion]] = {section: [] for section in "ABC"}
    answered: dict[str, list[bool]] = {section: [] for section in "ABC"}
    for signals, above in zip(asked, passed(asked, signal), strict=True):
        scored[signals.section].append(ScoredQuestion(signals.best[signal], signals.section == "A"))
        answered[signals.section].append(above)
    aurocs = (f"{separation(scored['A'] + scored[other]):.3f}" for other in "BC")
    return words, *aurocs, *map(Share.of, answered.values())


def _uncalibrated_row(asked: Sequence[QuestionSignals], bar: float) -> tuple[object, ...]:
    """The shares answered if a value of the reference scale were used as a cosine."""
    shares = (
        Share.of(signals.best["similarity"] >= bar for signals in asked if signals.section == section)
        for section in "ABC"
    )
    return f"without calibration: cosine ≥ {bar:.2f}", "–", "–", *shares
