"""Stores runs of evaluation suites: at their beginning, and again with what they found or why they ended early."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from audit.domain.run_comparison import AskedQuestion, RunMetric
from audit.models import EvaluationRun


def run_begin(*, suite: str, options: Mapping[str, Any], seed: int | None, setting: Mapping[str, Any]) -> EvaluationRun:
    """setting: revision, corpus, components and calibrations."""
    return EvaluationRun.objects.create(
        suite=suite, options=dict(options), seed=seed, started_at=timezone.now(), **setting
    )


def run_end(
    run: EvaluationRun,
    *,
    corpus: str,
    metrics: Iterable[RunMetric],
    questions: Iterable[AskedQuestion],
    artefacts: Mapping[str, Any],
) -> None:
    run.metrics, run.questions = list(map(asdict, metrics)), list(map(asdict, questions))
    run.corpus, run.artefacts, run.ended_at = corpus, dict(artefacts), timezone.now()
    run.save(update_fields=["corpus", "metrics", "questions", "artefacts", "ended_at"])


def run_stop(run: EvaluationRun, why: str) -> None:
    """Store why the run ended early; it stays without an end."""
    EvaluationRun.objects.filter(pk=run.pk).update(stopped=why)
