"""What the gate made of questions with and without an answer, for the retrieval section."""

from collections.abc import Sequence

from audit.domain.metrics import Share
from evaluation.domain.ranking import (
    COVERAGE_GOAL,
    HALLUCINATION_GOAL,
    ScoredQuestion,
    area_under_risk,
    risk_at,
    separation,
)
from evaluation.retrieval.run import GATE, GatedQuestion, Run, SearchedQuestion
from evaluation.separation import SIGNALS

COVERAGES = (0.25, 0.5, 1.0)
GOALS = ("| goal | bar | measured | met |", "|---|---|---|---|")


def gate_lines(run: Run, mode: str) -> list[str]:
    """Return the confusion table with its goals, and how well single scores would part the questions instead."""
    kept, invented = coverage(run.gated), hallucination(run.gated)
    right = Share.of(question.cites_gold for question in run.gated if question.answerable and question.answered)
    cited = f"Of the answerable that were answered, a gold passage cited: {right}."
    if not invented.total:
        return [f"Through the whole turn ({mode} mode), all of them answerable: answered {kept}. {cited}", ""]
    return [
        f"Through the whole turn ({mode} mode):",
        "",
        "| | answered | closest passage | refused |",
        "|---|---:|---:|---:|",
        _confusion("has an answer", [question for question in run.gated if question.answerable]),
        _confusion("has none", [question for question in run.gated if not question.answerable]),
        *_kinds(run.gated),
        "",
        *GOALS,
        goal_line("unanswerable answered", HALLUCINATION_GOAL, invented, at_most=True),
        goal_line("coverage: answerable answered", COVERAGE_GOAL, kept),
        "",
        cited,
        "",
        *_signals(run),
    ]


def goal_line(name: str, bar: float, measured: Share, *, at_most: bool = False) -> str:
    """Return a row of GOALS: met where the share itself is on the right side of the bar, its interval aside."""
    met = measured.value <= bar if at_most else measured.value >= bar
    return f"| {name} | {'≤' if at_most else '≥'} {bar:.2f} | {measured} | {'yes' if met else 'no'} |"


def coverage(gated: Sequence[GatedQuestion]) -> Share:
    """Return the share of answerable questions that were answered."""
    return Share.of(question.answered for question in gated if question.answerable)


def hallucination(gated: Sequence[GatedQuestion]) -> Share:
    """Return the share of unanswerable questions that were answered."""
    return Share.of(question.answered for question in gated if not question.answerable)


def _kinds(gated: Sequence[GatedQuestion]) -> list[str]:
    """Return a row for each kind without an answer, where there are several."""
    none = [question for question in gated if not question.answerable]
    kinds = list(dict.fromkeys(question.kind for question in none))
    lines = [_confusion(f"– {kind}", [question for question in none if question.kind == kind]) for kind in kinds]
    return lines if len(kinds) > 1 else []


def _confusion(name: str, gated: Sequence[GatedQuestion]) -> str:
    """Return a row of the confusion table."""
    answered, closest = sum(question.answered for question in gated), sum(question.closest for question in gated)
    return f"| {name} | {answered} | {closest} | {len(gated) - answered - closest} |"


def _signals(run: Run) -> list[str]:
    put = sum(question.answerable for question in run.gated)
    asked = [question for question in run.sought if question.question.gold][:put]
    asked += [question for question in run.sought if not question.question.gold]
    return [
        "How well the best score of a pool would part the same questions by itself, and how well the gate's chance "
        "does, after one look: AUROC, and the area under the risk–coverage curve (AURC). Coverage here is the share of "
        "all questions answered, risk the share of those that have no answer.",
        "",
        f"| signal | AUROC | AURC | {' | '.join(f'risk at coverage {one}' for one in COVERAGES)} |",
        "|---|---|---|" + "---|" * len(COVERAGES),
        *(_signal_line(name, asked) for name in (*SIGNALS, GATE)),
        "",
    ]


def _signal_line(name: str, asked: Sequence[SearchedQuestion]) -> str:
    judged = [ScoredQuestion(question.best[name], bool(question.question.gold)) for question in asked]
    cells = " | ".join(f"{risk_at(judged, one):.2f}" for one in COVERAGES)
    return f"| {name} | {separation(judged):.3f} | {area_under_risk(judged):.3f} | {cells} |"
