"""docs/results/retrieval.md: one part for each set."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.domain.metrics import Share, percentile
from evaluation.domain.ranking import BootstrapMean, average_precision, found, reciprocal_rank
from evaluation.domain.report_parts import GOAL_COLUMNS, Goal, goal_rows
from evaluation.retrieval.gate import coverage, gate_lines, hallucination
from evaluation.retrieval.run import FIRST, ORDERS, Run, SearchedQuestion
from evaluation.retrieval.sets import QuestionSet
from lectorium.providers.precision import native
from lectorium.report_table import table

STAGES = ("plan", "retrieve", "discard", "total")
RECALL_GOAL, MILLISECONDS_GOAL = 0.97, 350
HEAD = """## Retrieval

Public question sets over the product's own lanes, each set in a state folder of its own (`manage.py evaluate retrieval
--set NAME`). *Dense*, *lexical*: the pool's hits of one lane, in that lane's order. *Fused*: the pool by reciprocal
rank. *Reranked*: what the cross-encoder and the selection rules keep of it. Shares with 95 % Wilson intervals, means
with bootstrap intervals. The cross-encoder learned from none of the questions."""


@dataclass(frozen=True, slots=True)
class MeasurementSetting:
    """The conditions of a measurement. refused: passages that the importer rejected."""

    corpus: str
    refused: int
    seed: int
    mode: str


def part(chosen: QuestionSet, run: Run, setting: MeasurementSetting) -> list[str]:
    """The set's part of the page, without its heading."""
    yes = [question for question in run.searched if question.question.gold]
    return [
        f"{chosen.about} Searched: {setting.corpus}{_refused(setting)}. {_sampled(run, setting)}",
        "",
        *_orders(chosen, yes),
        *_goals(chosen, yes),
        *gate_lines(run, setting.mode),
        *_times(run, setting.mode),
    ]


def as_json(chosen: QuestionSet, run: Run, setting: MeasurementSetting) -> dict[str, Any]:
    """Measures by order, the gate's shares, and milliseconds by stage."""
    yes = [question for question in run.searched if question.question.gold]
    answered, hallucinated = coverage(run.gated), hallucination(run.gated)
    return {
        "set": chosen.key,
        "corpus": setting.corpus,
        "seed": setting.seed,
        "questions": len(yes),
        "orders": {
            order: {name: measure.value for name, measure in measures(chosen, order, yes).items()} for order in ORDERS
        },
        "gate": {
            "coverage": answered.value,
            "of": answered.total,
            "hallucination": hallucinated.value,
            "of_no": hallucinated.total,
        },
        "milliseconds": {stage: dict(zip(("p50", "p95"), _p50_p95(run, stage), strict=True)) for stage in STAGES},
    }


def measures(chosen: QuestionSet, order: str, searched: Sequence[SearchedQuestion]) -> dict[str, Share | BootstrapMean]:
    """The measures of one order of the pool, by name. recall: share of all gold passages found."""
    asked = [(question.orders[order], question.question.gold) for question in searched]
    hits = {cut: [found(*pair, cut) for pair in asked] for cut in chosen.cuts}
    figures: dict[str, Share | BootstrapMean] = {
        f"recall@{cut}": Share.of(hit for each in hits[cut] for hit in each) for cut in chosen.cuts
    }
    if chosen.hops > 1:
        figures |= {f"both in {cut}": Share.of(map(all, hits[cut])) for cut in chosen.cuts}
        return {**figures, f"MAP@{FIRST}": BootstrapMean.of(average_precision(*pair) for pair in asked)}
    return {**figures, f"MRR@{FIRST}": BootstrapMean.of(reciprocal_rank(*pair) for pair in asked)}


def _orders(chosen: QuestionSet, yes: Sequence[SearchedQuestion]) -> list[str]:
    found = {order: measures(chosen, order, yes) for order in ORDERS}
    return table(("order", *found[ORDERS[0]]), ((order, *figures.values()) for order, figures in found.items()))


def _goals(chosen: QuestionSet, yes: Sequence[SearchedQuestion]) -> list[str]:
    if chosen.hops == 1:
        return []
    found = measures(chosen, "reranked", yes).items()
    goals = (Goal(f"{name}, reranked", RECALL_GOAL, share) for name, share in found if isinstance(share, Share))
    return table(GOAL_COLUMNS, goal_rows(goals))


def _times(run: Run, mode: str) -> list[str]:
    columns = ("stage", "p50 ms", "p95 ms")
    rows = ((stage, *(f"{taken:,.0f}" for taken in _p50_p95(run, stage))) for stage in STAGES)
    work = [
        question.milliseconds.get("retrieve", 0) + question.milliseconds.get("discard", 0) for question in run.gated
    ]
    p50 = percentile(work, 0.5)
    before, after = run.load
    return [
        *table(columns, rows, right=columns[1:]),
        f"{len(run.gated)} questions, one at a time, on {os.cpu_count()} cores shared with other work, models in "
        f"{native()} (load average {before:.1f} before, {after:.1f} after). Retrieve and discard together: p50 "
        f"{p50:,.0f} ms. The goal of {MILLISECONDS_GOAL} ms is for instant mode; here, in {mode} mode, it is "
        f"{'met' if p50 <= MILLISECONDS_GOAL else 'missed'}.",
    ]


def _p50_p95(run: Run, stage: str) -> tuple[float, float]:
    taken = [question.milliseconds[stage] for question in run.gated if stage in question.milliseconds]
    return percentile(taken, 0.5), percentile(taken, 0.95)


def _sampled(run: Run, setting: MeasurementSetting) -> str:
    searched = [sum(bool(question.question.gold) is side for question in run.searched) for side in (True, False)]
    words = f"{searched[0]} of {run.available[0]} answerable questions"
    if run.available[1]:
        words += f" and {searched[1]} of {run.available[1]} unanswerable ones"
    return f"Searched for: {words}, drawn by seed {setting.seed}."


def _refused(setting: MeasurementSetting) -> str:
    return f" ({setting.refused} passages rejected by the importer)" if setting.refused else ""
