"""Stored runs of the blind judge: who won, how far the judge can be trusted, and every pair."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from audit.domain.judging import CRITERIA, CriterionResult, JudgeQuality, JudgeRules, fault_of
from audit.domain.metrics import Share
from audit.models import JudgeRun
from audit.tables import NONE, Cell, Table, number, percent, share
from audit.views import for_auditors

RUNS_SHOWN, PAIRS_SHOWN = 50, 200
RULES = JudgeRules()


@require_safe
@never_cache
@for_auditors
def runs_page(request: HttpRequest) -> HttpResponse:
    runs = JudgeRun.objects.defer("pairs")[:RUNS_SHOWN]
    rows = [(run, _winner(run)) for run in runs]
    return render(request, "audit/judge/runs.html", {"rows": rows})


@require_safe
@never_cache
@for_auditors
def run_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = get_object_or_404(JudgeRun, pk=run_id)
    context = {
        "run": run,
        "fault": fault_of(quality_of_row(run.quality), RULES),
        "tables": [criteria_table(run), quality_table(run), *relevancy_tables(run)],
        "pairs": [(pair, _winners(pair["winners"])) for pair in run.pairs[:PAIRS_SHOWN]],
        "more_pairs": max(0, len(run.pairs) - PAIRS_SHOWN),
    }
    return render(request, "audit/judge/run.html", context)


def criteria_of_row(stored: Mapping[str, Any]) -> list[CriterionResult]:
    """In the order of CRITERIA: the database sorts the keys of an object by length."""
    rows = {name: CriterionResult(name, counts["a"], counts["b"], counts["ties"]) for name, counts in stored.items()}
    return [rows[name] for name in (*CRITERIA, *sorted(rows.keys() - set(CRITERIA))) if name in rows]


def quality_of_row(stored: Mapping[str, Any]) -> JudgeQuality:
    return JudgeQuality(**{name: Share(*counts) for name, counts in stored.items()})


def criteria_table(run: JudgeRun) -> Table:
    rows = []
    for result in criteria_of_row(run.criteria):
        _, _, *interval = share(result.a_wins)
        chance = NONE if not result.a + result.b else f"{result.chance:.3f}" if result.chance >= 0.001 else "< 0.001"
        counts = (number(result.a), number(result.b), number(result.ties))
        rows.append((Cell(result.criterion.capitalize(), result.criterion), *counts, *interval, Cell(chance, chance)))
    columns = ("Criterion", "A won", "B won", "Ties", "A’s share", "Low", "High", "Sign test")
    meaning = (
        "Of the pairs that were decided, side A’s share with its 95 % Wilson interval. Sign test: the probability of a "
        "split at least as uneven if both sides were equally good."
    )
    return Table("criteria", "Who won", columns, tuple(rows), meaning)


def quality_table(run: JudgeRun) -> Table:
    quality = quality_of_row(run.quality)
    named = {
        "Kept the place when swapped": quality.by_place,
        "Another verdict when asked again": quality.noise,
        "Chose the answer shown first": quality.first,
        "Gave no usable verdict": quality.unjudged,
    }
    rows = tuple((Cell(name, name), *share(measured)) for name, measured in named.items())
    meaning = "A judge that goes by the answers alone has about 0 %, 0 %, 50 % and 0 %."
    return Table("quality", "How far the judge can be trusted", ("", "Counted", "Of", "Share", "Low", "High"), rows,
                 meaning)  # fmt: skip


def relevancy_tables(run: JudgeRun) -> list[Table]:
    """The relevancy of each side, where it was measured."""
    sides = run.relevancy.get("sides") or {}
    rows = tuple(
        (Cell(name, name), Cell(f"{side['mean']:.3f}", side["mean"]), Cell(f"{side['low']:.3f}", side["low"]),
         Cell(f"{side['high']:.3f}", side["high"]), number(side["answers"]))
        for name, side in sides.items()
    )  # fmt: skip
    columns = ("Side", "Mean", "Low", "High", "Answers")
    return [Table("relevancy", "Answer relevancy", columns, rows, run.relevancy.get("how", ""))] if rows else []


def _winner(run: JudgeRun) -> str:
    """The faithfulness result in a few words."""
    results = {result.criterion: result for result in criteria_of_row(run.criteria)}
    found = results.get("faithfulness")
    if found is None or not found.a + found.b:
        return "no decided pair"
    return f"A won {percent(found.a_wins.value, 0)} of {found.a + found.b} on faithfulness"


def _winners(winners: Mapping[str, str]) -> list[str]:
    """E.g. "faithfulness A"."""
    said = {"a": "A", "b": "B", "tie": "tied", "": "no verdict"}
    return [f"{name} {said.get(winners[name], winners[name])}" for name in CRITERIA if name in winners]
