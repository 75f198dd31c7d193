"""The gate's decisions on answerable and unanswerable questions, for docs/results/retrieval.md."""

from collections.abc import Iterator, Sequence

from audit.domain.metrics import Share
from evaluation.domain.ranking import (
    COVERAGE_GOAL,
    HALLUCINATION_GOAL,
    ScoredQuestion,
    area_under_risk,
    bar_reaching,
    risk_at,
    separation,
)
from evaluation.domain.report_parts import GOAL_COLUMNS, Goal, goal_rows
from evaluation.retrieval.run import GATE, GatedQuestion, Run, SearchedQuestion
from evaluation.separation import SIGNALS
from lectorium.report_table import table

COVERAGES = (0.25, 0.5, 1.0)
REACHED = (0.80, 0.85)  # shares of the answerable questions answered, at which the others are counted


def gate_lines(run: Run, mode: str) -> list[str]:
    """The confusion table with its goals, and how well single scores would separate the questions instead."""
    answered, hallucinated = coverage(run.gated), hallucination(run.gated)
    right = Share.of(question.cites_gold for question in run.gated if question.answerable and question.answered)
    cited = f"Answered answerable questions that cite a gold passage: {right}."
    if not hallucinated.total:
        return [f"Through the whole turn ({mode} mode), all of them answerable: answered {answered}. {cited}", ""]
    columns = ("", "answered", "closest passage", "refused")
    goals = [
        Goal("unanswerable answered", HALLUCINATION_GOAL, hallucinated, at_most=True),
        Goal("coverage: answerable answered", COVERAGE_GOAL, answered),
    ]
    return [
        f"Through the whole turn ({mode} mode):",
        "",
        *table(columns, _confusion_rows(run.gated), right=columns[1:]),
        *table(GOAL_COLUMNS, goal_rows(goals)),
        cited,
        "",
        *_signals(run),
    ]


def coverage(gated: Sequence[GatedQuestion]) -> Share:
    """Answerable questions that were answered."""
    return Share.of(question.answered for question in gated if question.answerable)


def hallucination(gated: Sequence[GatedQuestion]) -> Share:
    """Unanswerable questions that were answered."""
    return Share.of(question.answered for question in gated if not question.answerable)


def _confusion_rows(gated: Sequence[GatedQuestion]) -> Iterator[tuple[object, ...]]:
    unanswerable = [question for question in gated if not question.answerable]
    groups = {"has an answer": [question for question in gated if question.answerable], "has none": unanswerable}
    kinds = dict.fromkeys(question.kind for question in unanswerable)
    if len(kinds) > 1:
        groups |= {f"– {kind}": [question for question in unanswerable if question.kind == kind] for kind in kinds}
    for name, own in groups.items():
        answered, closest = sum(question.answered for question in own), sum(question.closest for question in own)
        yield name, answered, closest, len(own) - answered - closest


def _signals(run: Run) -> list[str]:
    answerable = sum(question.answerable for question in run.gated)
    searched = [question for question in run.searched if question.question.gold][:answerable]
    searched += [question for question in run.searched if not question.question.gold]
    return [
        "How well the best score of a pool alone would separate the same questions, and how well the gate's chance "
        "does after one search: AUROC, and the area under the risk–coverage curve (AURC). Coverage is the share of all "
        "questions answered, risk the share of answered questions that have no answer.",
        "",
        *table(
            ("signal", "AUROC", "AURC", *(f"risk at coverage {coverage}" for coverage in COVERAGES)),
            (_signal_row(name, searched) for name in (*SIGNALS, GATE)),
        ),
        "What would be answered of the questions without an answer if the gate's bar were where so many of the others "
        "are answered:",
        "",
        *table(("answerable answered", "bar", "has none", *_kinds(searched)), _reached_rows(searched)),
    ]


def _kinds(searched: Sequence[SearchedQuestion]) -> list[str]:
    """Why questions have no answer, where there is more than one reason."""
    kinds = dict.fromkeys(question.question.kind for question in searched if not question.question.gold)
    return list(kinds) if len(kinds) > 1 else []


def _reached_rows(searched: Sequence[SearchedQuestion]) -> Iterator[tuple[object, ...]]:
    none = [question for question in searched if not question.question.gold]
    for coverage in REACHED:
        bar = bar_reaching(_scored(GATE, searched), coverage)
        of_kind = ([question for question in none if question.question.kind == kind] for kind in _kinds(searched))
        found = Share.of(question.best[GATE] >= bar for question in searched if question.question.gold)
        yield (
            found,
            f"{bar:.2f}",
            *(Share.of(question.best[GATE] >= bar for question in own) for own in (none, *of_kind)),
        )


def _signal_row(name: str, searched: Sequence[SearchedQuestion]) -> tuple[str, ...]:
    scored = _scored(name, searched)
    risks = (f"{risk_at(scored, coverage):.2f}" for coverage in COVERAGES)
    return name, f"{separation(scored):.3f}", f"{area_under_risk(scored):.3f}", *risks


def _scored(name: str, searched: Sequence[SearchedQuestion]) -> list[ScoredQuestion]:
    return [ScoredQuestion(question.best[name], bool(question.question.gold)) for question in searched]
