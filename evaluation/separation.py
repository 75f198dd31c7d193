"""How well one score of a pool by itself tells golden questions that have an answer from those that have none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from audit.domain.metrics import Share
from evaluation.domain.ranking import ScoredQuestion, lowest_bar, separation

SIGNALS: Mapping[str, str] = MappingProxyType(
    {
        "similarity": "best cosine",
        "relevance": "best rerank score (the cross-encoder's relevance)",
        "answerability": "best answerability",
    }
)
FOLDS = 5
UNCALIBRATED = (0.55, 0.65)  # of the reference scale (shared/design/pipeline.md), which is another embedder's
BUDGET = 0.10  # share of the unanswerable that a bar may let through; of fewer than fifty, less would be one or two


@dataclass(frozen=True, slots=True)
class QuestionSignals:
    """A golden question's section, the group it is not split from, and the best of every signal over its pool."""

    section: str
    group: str
    best: Mapping[str, float]


def best_signals(found: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the best of every signal over the rows of a search that explains itself; 0 where none has it."""
    rows = list(found)
    return {name: max((row[name] for row in rows if row[name] is not None), default=0.0) for name in SIGNALS}


def signals_of(row: Mapping[str, Any], group: str, found: Iterable[Mapping[str, Any]]) -> QuestionSignals | None:
    """Return what a search (with its explanation) says of a row; None where no such score decides.

    group: what it must not be split from. An address is looked up, an underspecified question asked back, and the true
    side of a pair is no part of A.
    """
    if row.get("kind") == "address" or row.get("category") == "underspecified":
        return None
    if row["section"] == "C" and row["answerable"]:
        return None
    return QuestionSignals(row["section"], group, best_signals(found))


def separation_lines(asked: Sequence[QuestionSignals]) -> list[str]:
    """Return the table: each signal's AUROC against B and the false twins, and what a bar by it would do."""
    sizes = {section: sum(signals.section == section for signals in asked) for section in "ABC"}
    return [
        f"How well one score of the pool parts the {sizes['A']} answerable questions of A (no addresses) from the "
        f"{sizes['B']} of B (none underspecified) and from the {sizes['C']} false twins of C: AUROC, for which nothing "
        f"is fitted; and what a bar by that score alone would do, set on {FOLDS - 1} of {FOLDS} parts of the lectures "
        f"so that at most {BUDGET:.0%} of the unanswerable pass, counted on the part left out.",
        "",
        "| signal | A from B | A from false twins | A answered | B answered | false twins answered |",
        "|---|---:|---:|---|---|---|",
        *(_line(asked, name, told) for name, told in SIGNALS.items()),
        *(_uncalibrated(asked, bar) for bar in UNCALIBRATED),
        "",
    ]


def passed(asked: Sequence[QuestionSignals], signal: str) -> list[bool]:
    """Return whether each question lies above a bar that was set on the other groups' questions."""
    groups = list(dict.fromkeys(signals.group for signals in asked))
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    judged = [ScoredQuestion(signals.best[signal], signals.section == "A") for signals in asked]
    bars = [
        lowest_bar((said for said, one in zip(judged, asked, strict=True) if fold[one.group] != part), BUDGET)
        for part in range(FOLDS)
    ]
    return [said.score > bars[fold[one.group]] for said, one in zip(judged, asked, strict=True)]


def _line(asked: Sequence[QuestionSignals], signal: str, told: str) -> str:
    judged = {one: [ScoredQuestion(a.best[signal], one == "A") for a in asked if a.section == one] for one in "ABC"}
    over = list(zip(asked, passed(asked, signal), strict=True))
    shares = (Share.of(answered for one, answered in over if one.section == section) for section in "ABC")
    apart = (f"{separation(judged['A'] + judged[other]):.3f}" for other in "BC")
    return f"| {told} | {' | '.join(apart)} | {' | '.join(map(str, shares))} |"


def _uncalibrated(asked: Sequence[QuestionSignals], bar: float) -> str:
    """Say what the reference scale's bars would do, were they taken for cosines."""
    shares = (
        Share.of(signals.best["similarity"] >= bar for signals in asked if signals.section == section)
        for section in "ABC"
    )
    return f"| without calibration: cosine ≥ {bar:.2f} | – | – | {' | '.join(map(str, shares))} |"
