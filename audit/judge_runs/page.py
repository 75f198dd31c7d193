"""Stored runs of the blind judge: who won, how far the judge can be trusted, and every pair."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from audit.domain.judging import CRITERIA, CriterionResult, JudgeQuality, JudgeRules, fault_of
from audit.domain.metrics import Share
from audit.models import JudgeRun
from audit.tables import NONE, Cell, Table, number, percent, share, share_columns
from audit.views import for_auditors
from lectorium.texts.local_text import local_text

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
        __, __, *interval = share(result.a_wins)
        chance = NONE if not result.a + result.b else f"{result.chance:.3f}" if result.chance >= 0.001 else "< 0.001"
        counts = (number(result.a), number(result.b), number(result.ties))
        name = Cell(local_text(result.criterion.capitalize()), result.criterion)
        rows.append((name, *counts, *interval, Cell(chance, chance)))
    columns = (
        _("Criterion"), _("A won"), _("B won"), _("Ties"), _("A’s share"), _("Low"), _("High"), _("Sign test")
    )  # fmt: skip
    meaning = _(
        "Of the pairs that were decided, side A’s share with its 95 % Wilson interval. Sign test: the probability of a "
        "split at least as uneven if both sides were equally good."
    )
    return Table("criteria", _("Who won"), columns, tuple(rows), meaning)


def quality_table(run: JudgeRun) -> Table:
    quality = quality_of_row(run.quality)
    named = {
        _("Kept the place when swapped"): quality.by_place,
        _("Another verdict when asked again"): quality.noise,
        _("Chose the answer shown first"): quality.first,
        _("Gave no usable verdict"): quality.unjudged,
    }
    rows = tuple((Cell(name, name), *share(measured)) for name, measured in named.items())
    meaning = _("A judge that goes by the answers alone has about 0 %, 0 %, 50 % and 0 %.")
    return Table("quality", _("How far the judge can be trusted"), ("", *share_columns()), rows, meaning)


def relevancy_tables(run: JudgeRun) -> list[Table]:
    """The relevancy of each side, where it was measured."""
    sides = run.relevancy.get("sides") or {}
    rows = tuple(
        (Cell(name, name), Cell(f"{side['mean']:.3f}", side["mean"]), Cell(f"{side['low']:.3f}", side["low"]),
         Cell(f"{side['high']:.3f}", side["high"]), number(side["answers"]))
        for name, side in sides.items()
    )  # fmt: skip
    columns = (_("Side"), _("Mean"), _("Low"), _("High"), _("Answers"))
    return [Table("relevancy", _("Answer relevancy"), columns, rows, run.relevancy.get("how", ""))] if rows else []


def _winner(run: JudgeRun) -> str:
    """The faithfulness result in a few words."""
    results = {result.criterion: result for result in criteria_of_row(run.criteria)}
    found = results.get("faithfulness")
    if found is None or not found.a + found.b:
        return _("no decided pair")
    said = _("A won {share} of {number} on faithfulness")
    return said.format(share=percent(found.a_wins.value, 0), number=found.a + found.b)


def _winners(winners: Mapping[str, str]) -> list[str]:
    """E.g. "faithfulness A"."""
    said = {"a": "A", "b": "B", "tie": _("tied"), "": _("no verdict")}
    return [f"{local_text(name)} {said.get(winners[name], winners[name])}" for name in CRITERIA if name in winners]
