"""Stored runs of the evaluation suites: a list to choose two from, one run, and two side by side."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from audit.domain.run_comparison import (
    AskedQuestion,
    MetricChange,
    QuestionChange,
    RunMetric,
    RunTerms,
    metric_changes,
    objections,
    question_changes,
)
from audit.models import EvaluationRun
from audit.tables import NONE, Cell, Table, number
from audit.views import for_auditors

RUNS_SHOWN, QUESTIONS_SHOWN = 100, 500
LARGE = ("metrics", "questions", "artefacts")


@require_safe
@never_cache
@for_auditors
def runs_page(request: HttpRequest) -> HttpResponse:
    """The latest runs; for `?suite=`, those of one suite."""
    runs = EvaluationRun.objects.defer(*LARGE)
    suite = request.GET.get("suite", "")
    suites = sorted(set(EvaluationRun.objects.order_by().values_list("suite", flat=True)))
    chosen = runs.filter(suite=suite) if suite in suites else runs
    context = {"runs": chosen[:RUNS_SHOWN], "suites": suites, "suite": suite, "shown": RUNS_SHOWN}
    return render(request, "audit/evaluation/runs.html", context)


@require_safe
@never_cache
@for_auditors
def run_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = get_object_or_404(EvaluationRun, pk=run_id)
    questions = questions_of(run)
    wrong = [question for question in questions if not question.good]
    context = {
        "run": run,
        "metrics": metrics_table(metrics_of(run)),
        "questions": len(questions),
        "wrong": wrong[:QUESTIONS_SHOWN],
        "more_wrong": max(0, len(wrong) - QUESTIONS_SHOWN),
        "earlier": EvaluationRun.objects.defer(*LARGE).filter(suite=run.suite, started_at__lt=run.started_at).first(),
    }
    return render(request, "audit/evaluation/run.html", context)


@require_safe
@never_cache
@for_auditors
def compare_page(request: HttpRequest) -> HttpResponse:
    """Two runs side by side, the older first; 400 with an explanation unless `?run=` names two."""
    keys, fault = _two_keys(request.GET.getlist("run"))
    if fault:
        return render(request, "audit/evaluation/comparison.html", {"fault": fault}, status=400)
    before, after = sorted((get_object_or_404(EvaluationRun, pk=key) for key in keys), key=lambda run: run.started_at)
    is_same_suite = before.suite == after.suite
    changes = question_changes(questions_of(before), questions_of(after))
    context = {
        "before": before,
        "after": after,
        "objections": objections(terms_of(before), terms_of(after)),
        "is_same_suite": is_same_suite,
        "setting": _setting_rows(before, after),
        "metrics": changes_table(metric_changes(metrics_of(before), metrics_of(after))) if is_same_suite else None,
        "changes": changes,
        "lists": [
            (title, found[:QUESTIONS_SHOWN], max(0, len(found) - QUESTIONS_SHOWN))
            for title, found in _by_title(changes.worse, changes.better, changes.other)
        ],
    }
    return render(request, "audit/evaluation/comparison.html", context)


def _two_keys(given: Sequence[str]) -> tuple[list[UUID], str]:
    try:
        keys = [UUID(key) for key in dict.fromkeys(given)]
    except ValueError:
        return [], _("A run is named by its id, and this is none. Choose two runs from the list.")
    return (keys, "") if len(keys) == 2 else ([], _("Choose exactly two runs to compare."))


def _by_title(
    worse: Sequence[QuestionChange], better: Sequence[QuestionChange], other: Sequence[QuestionChange]
) -> list[tuple[str, Sequence[QuestionChange]]]:
    return [
        (_("Got worse"), worse),
        (_("Got better"), better),
        (_("Another outcome, neither better nor worse"), other),
    ]


def terms_of(run: EvaluationRun) -> RunTerms:
    options = {name: str(value) for name, value in run.options.items()}
    return RunTerms(run.suite, run.corpus, options, run.ended_at is not None)


def metrics_of(run: EvaluationRun) -> list[RunMetric]:
    return [RunMetric(**stored) for stored in run.metrics]


def questions_of(run: EvaluationRun) -> list[AskedQuestion]:
    return [AskedQuestion(**stored) for stored in run.questions]


def metrics_table(metrics: Sequence[RunMetric]) -> Table:
    rows = tuple((Cell(metric.name, metric.name), *_cells(metric)) for metric in metrics)
    return Table("metrics", _("Metrics"), (_("Metric"), *_measured(_("Value"))), rows)


def changes_table(changes: Sequence[MetricChange]) -> Table:
    rows = []
    for change in changes:
        said = f"{change.change:+.3f}" if change.change is not None else NONE
        within = _between(f"{change.interval[0]:+.3f}", f"{change.interval[1]:+.3f}") if change.interval else NONE
        clear = _("changed") if change.is_clear else _("within chance") if change.interval else _("not in both")
        measured = (*_cells(change.before), *_cells(change.after))
        difference = (Cell(said, change.change or 0), Cell(within, within), Cell(clear, clear))
        rows.append((Cell(change.name, change.name), *measured, *difference))
    sides = (*_measured(_("First")), *_measured(_("Second")))
    columns = (_("Metric"), *sides, _("Difference"), _("95 % interval"), _("Result"))
    meaning = _(
        "The interval of a difference treats both runs as independent, so it is wider than needed where both asked the "
        "same questions. “Changed”: it leaves out zero. Among many metrics one in twenty does so by chance."
    )
    return Table("changes", _("Metrics side by side"), columns, tuple(rows), meaning)


def _cells(metric: RunMetric | None) -> tuple[Cell, Cell, Cell]:
    if metric is None or not metric.total:
        return Cell(NONE, ""), Cell(NONE, ""), Cell(NONE, "") if metric is None else number(0)
    value = Cell(f"{metric.value:.3f}", round(metric.value, 4))
    return (
        value,
        Cell(_between(f"{metric.low:.3f}", f"{metric.high:.3f}"), f"{metric.low:.4f}/{metric.high:.4f}"),
        number(metric.total),
    )


def _measured(name: str) -> tuple[str, str, str]:
    return name, _("95 % interval"), _("Of")


def _between(low: str, high: str) -> str:
    return _("{low} to {high}").format(low=low, high=high)


def _setting_rows(before: EvaluationRun, after: EvaluationRun) -> list[tuple[str, str, str, bool]]:
    """What each run measured with: name, first, second, and whether they differ."""
    sides: list[dict[str, Any]] = []
    for run in (before, after):
        own: dict[str, Any] = {"suite": run.suite, "revision": run.revision, "corpus": run.corpus, "seed": run.seed}
        sides.append(
            {**own, **run.options, **run.components, **{f"calibration {k}": v for k, v in run.calibrations.items()}}
        )
    names = list(dict.fromkeys([*sides[0], *sides[1]]))
    told = [(name, *(NONE if side.get(name) in (None, "") else str(side[name]) for side in sides)) for name in names]
    return [(name, first, second, first != second) for name, first, second in told]
