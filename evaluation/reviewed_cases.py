"""Asks every turn that a reviewer disagreed with again, and says which of them still go wrong."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone
from tqdm import tqdm

from audit.domain.metrics import Share
from audit.domain.reviewing import passes
from audit.domain.run_comparison import AskedQuestion
from audit.models import ReviewedCase
from corpus.selectors import corpus_fingerprint
from evaluation.results import publish
from evaluation.stored_run import SuiteFigures
from lectorium import asking
from lectorium.report_table import table
from lectorium.threads import in_thread

Ask = Callable[[str], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class ReviewedResult:
    """passed: today's answer does not repeat what reviewers disagreed with."""

    case: UUID
    kind: str
    state: str
    outcome: str
    passed: bool


async def run_reviewed(
    cases: Sequence[ReviewedCase], on_each: Callable[[], object], ask: Ask = asking.ask
) -> list[ReviewedResult]:
    """Ask the cases one after another, and store each result with its case."""
    found = []
    for case in cases:
        response = await ask(case.question)
        passed = passes(case.kind, case.sentences, response)
        found.append(ReviewedResult(case.pk, case.kind, case.state, response["outcome"], passed))
        await in_thread(_store, found[-1])
        on_each()
    return found


def measure_reviewed() -> SuiteFigures:
    """Ask all cases on which the reviewers do not contradict each other. Stored by their ids alone."""
    cases = list(ReviewedCase.objects.exclude(state=ReviewedCase.State.CONTESTED))
    with tqdm(total=len(cases), unit="question", desc="reviewed") as bar:
        found = asyncio.run(run_reviewed(cases, bar.update))
    kinds = dict(ReviewedCase.Kind.choices)
    return SuiteFigures(
        {"reviewed": [{"case": str(row.case), "kind": row.kind, "passed": row.passed} for row in found]},
        lambda: publish("reviewed", reviewed_report(found, corpus_fingerprint())),
        page="reviewed",
        shares={str(kinds[kind]): Share.of(row.passed for row in found if row.kind == kind) for kind in kinds},
        questions=tuple(AskedQuestion(str(row.case), row.outcome, row.passed) for row in found),
        said=f"{len(found)} reviewed cases asked.",
    )


def reviewed_report(found: Sequence[ReviewedResult], corpus: str) -> list[str]:
    """Lines of docs/results/reviewed.md: counts only, because the questions are readers'."""
    kinds, states = dict(ReviewedCase.Kind.choices), dict(ReviewedCase.State.choices)
    rows = [(str(kinds[kind]), *_shares(row for row in found if row.kind == kind)) for kind in kinds]
    return [
        "## Reviewed cases",
        "",
        f"{len(found)} turns that a reviewer disagreed with, asked again over {corpus}. A case passes where the "
        "sentences called wrong are not shown again, or the question called answerable is answered. Turns on which "
        f"two reviewers contradict each other are left out. *{states['confirmed']}* are cases of both reviewers. "
        "Regenerate: `manage.py evaluate reviewed`.",
        "",
        *(
            table(("label", "passed", "passed, of those confirmed by two"), rows)
            if found
            else ["There are no cases yet."]
        ),
    ]


def _shares(results: Iterable[ReviewedResult]) -> tuple[Share, Share]:
    listed = list(results)
    confirmed = [row.passed for row in listed if row.state == ReviewedCase.State.CONFIRMED]
    return Share.of(row.passed for row in listed), Share.of(confirmed)


def _store(result: ReviewedResult) -> None:
    ReviewedCase.objects.filter(pk=result.case).update(
        checked_at=timezone.now(), passed=result.passed, outcome=result.outcome
    )
