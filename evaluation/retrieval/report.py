"""The page docs/results/retrieval.md, a part for each set."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.domain.metrics import Share, percentile
from evaluation.domain.ranking import BootstrapMean, average_precision, found, reciprocal_rank
from evaluation.retrieval.gate import GOALS, coverage, gate_lines, goal_line, hallucination
from evaluation.retrieval.run import FIRST, ORDERS, Run, SearchedQuestion
from evaluation.retrieval.sets import QuestionSet
from lectorium.providers.precision import native

STAGES = ("plan", "retrieve", "discard", "total")
RECALL_GOAL, MILLISECONDS_GOAL = 0.97, 350
HEAD = """## Retrieval

Public question sets over the product's own lanes, each set on a state of its own (`manage.py evaluate retrieval --set
NAME`). *Dense*, *lexical*: the hits of one lane that are in the pool, in that lane's order. *Fused*: the pool by
reciprocal rank. *Reranked*: what the cross-encoder and the rules of selection keep of it. Shares with 95 % Wilson
intervals, means with bootstrapped ones. No question is one that the cross-encoder learned from."""


@dataclass(frozen=True, slots=True)
class MeasurementSetting:
    """Under which conditions a set was measured. refused: passages that the importer would not take."""

    corpus: str
    refused: int
    seed: int
    mode: str


def part(chosen: QuestionSet, run: Run, setting: MeasurementSetting) -> str:
    """Return the set's part of the section, without its heading."""
    yes = [question for question in run.sought if question.question.gold]
    lines = [f"{chosen.about} Searched: {setting.corpus}{_refused(setting)}. {_sampled(run, setting)}", ""]
    lines += [*_orders(chosen, yes), *_goals(chosen, yes), *gate_lines(run, setting.mode), *_times(run, setting.mode)]
    return "\n".join(lines)


def as_json(chosen: QuestionSet, run: Run, setting: MeasurementSetting) -> dict[str, Any]:
    """Return the figures as numbers: {order: {measure: value}}, the gate's, and milliseconds a stage."""
    yes = [question for question in run.sought if question.question.gold]
    kept, invented = coverage(run.gated), hallucination(run.gated)
    return {
        "set": chosen.key,
        "corpus": setting.corpus,
        "seed": setting.seed,
        "questions": len(yes),
        "orders": {order: {name: one.value for name, one in measures(chosen, order, yes).items()} for order in ORDERS},
        "gate": {"coverage": kept.value, "of": kept.total, "hallucination": invented.value, "of_no": invented.total},
        "milliseconds": {stage: dict(zip(("p50", "p95"), _p50_p95(run, stage), strict=True)) for stage in STAGES},
    }


def measures(chosen: QuestionSet, order: str, sought: Sequence[SearchedQuestion]) -> dict[str, Share | BootstrapMean]:
    """Return a set's measures of one order of the pool, by name. recall: share of all gold passages found."""
    asked = [(question.orders[order], question.question.gold) for question in sought]
    hits = {cut: [found(*pair, cut) for pair in asked] for cut in chosen.cuts}
    figures: dict[str, Share | BootstrapMean] = {
        f"recall@{cut}": Share.of(hit for each in hits[cut] for hit in each) for cut in chosen.cuts
    }
    if chosen.hops > 1:
        figures |= {f"both in {cut}": Share.of(map(all, hits[cut])) for cut in chosen.cuts}
        return {**figures, f"MAP@{FIRST}": BootstrapMean.of(average_precision(*pair) for pair in asked)}
    return {**figures, f"MRR@{FIRST}": BootstrapMean.of(reciprocal_rank(*pair) for pair in asked)}


def _orders(chosen: QuestionSet, yes: Sequence[SearchedQuestion]) -> list[str]:
    names = list(measures(chosen, ORDERS[0], yes))
    lines = [f"| order | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for order in ORDERS:
        lines.append(f"| {order} | {' | '.join(str(one) for one in measures(chosen, order, yes).values())} |")
    return [*lines, ""]


def _goals(chosen: QuestionSet, yes: Sequence[SearchedQuestion]) -> list[str]:
    if chosen.hops == 1:
        return []
    shares = {name: one for name, one in measures(chosen, "reranked", yes).items() if isinstance(one, Share)}
    return [*GOALS, *(goal_line(f"{name}, reranked", RECALL_GOAL, share) for name, share in shares.items()), ""]


def _times(run: Run, mode: str) -> list[str]:
    lines = ["| stage | p50 ms | p95 ms |", "|---|---:|---:|"]
    for stage in STAGES:
        p50, p95 = _p50_p95(run, stage)
        lines.append(f"| {stage} | {p50:,.0f} | {p95:,.0f} |")
    work = [
        question.milliseconds.get("retrieve", 0) + question.milliseconds.get("discard", 0) for question in run.gated
    ]
    p50 = percentile(work, 0.5)
    before, after = run.load
    return [
        *lines,
        "",
        f"{len(run.gated)} questions, one at a time, on {os.cpu_count()} cores shared with other work, models in "
        f"{native()} (load average {before:.1f} before, {after:.1f} after). Retrieve and discard together: p50 "
        f"{p50:,.0f} ms; the goal of {MILLISECONDS_GOAL} ms is one for instant mode: here, in {mode} mode, it "
        f"is {'met' if p50 <= MILLISECONDS_GOAL else 'missed'}.",
    ]


def _p50_p95(run: Run, stage: str) -> tuple[float, float]:
    taken = [question.milliseconds[stage] for question in run.gated if stage in question.milliseconds]
    return percentile(taken, 0.5), percentile(taken, 0.95)


def _sampled(run: Run, setting: MeasurementSetting) -> str:
    asked = [sum(bool(question.question.gold) is side for question in run.sought) for side in (True, False)]
    told = f"{asked[0]} of {run.available[0]} answerable questions"
    if run.available[1]:
        told += f" and {asked[1]} of {run.available[1]} unanswerable ones"
    return f"Searched for: {told}, drawn by seed {setting.seed}."


def _refused(setting: MeasurementSetting) -> str:
    return f" ({setting.refused} passages refused by the importer)" if setting.refused else ""
