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
    right = Share.of(one.cites_gold for one in run.gated if one.answerable and one.answered)
    cited = f"Of the answerable that were answered, a gold passage cited: {right}."
    if not invented.total:
        return [f"Through the whole turn ({mode} mode), all of them answerable: answered {kept}. {cited}", ""]
    return [
        f"Through the whole turn ({mode} mode):",
        "",
        "| | answered | closest passage | refused |",
        "|---|---:|---:|---:|",
        _confusion("has an answer", [one for one in run.gated if one.answerable]),
        _confusion("has none", [one for one in run.gated if not one.answerable]),
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
    return Share.of(one.answered for one in gated if one.answerable)


def hallucination(gated: Sequence[GatedQuestion]) -> Share:
    """Return the share of unanswerable questions that were answered."""
    return Share.of(one.answered for one in gated if not one.answerable)


def _kinds(gated: Sequence[GatedQuestion]) -> list[str]:
    """Return a row for each kind without an answer, where there are several."""
    none = [one for one in gated if not one.answerable]
    kinds = list(dict.fromkeys(one.kind for one in none))
    lines = [_confusion(f"– {kind}", [one for one in none if one.kind == kind]) for kind in kinds]
    return lines if len(kinds) > 1 else []


def _confusion(name: str, gated: Sequence[GatedQuestion]) -> str:
    """Return a row of the confusion table."""
    answered, closest = sum(one.answered for one in gated), sum(one.closest for one in gated)
    return f"| {name} | {answered} | {closest} | {len(gated) - answered - closest} |"


def _signals(run: Run) -> list[str]:
    put = sum(one.answerable for one in run.gated)
    asked = [one for one in run.sought if one.question.gold][:put]
    asked += [one for one in run.sought if not one.question.gold]
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
    judged = [ScoredQuestion(one.best[name], bool(one.question.gold)) for one in asked]
    cells = " | ".join(f"{risk_at(judged, one):.2f}" for one in COVERAGES)
    return f"| {name} | {separation(judged):.3f} | {area_under_risk(judged):.3f} | {cells} |"
