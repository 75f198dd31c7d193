"""Asks every question that was once a knowledge gap, and says which of them are no longer answered."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone
from tqdm import tqdm

from audit.domain.metrics import Share
from audit.domain.outcomes import ANSWERED
from audit.domain.run_comparison import AskedQuestion
from audit.models import RegressionCase
from corpus.domain.addresses.address import address_key
from corpus.selectors import corpus_fingerprint
from evaluation.results import publish
from evaluation.stored_run import SuiteFigures
from lectorium import asking
from lectorium.report_table import table
from lectorium.threads import in_thread

Ask = Callable[[str], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class RegressionResult:
    """answered: with any citation. passed: answered, citing at least one of the wanted addresses."""

    case: UUID
    question: str
    outcome: str
    answered: bool
    passed: bool


def judge(case: RegressionCase, response: Mapping[str, Any]) -> RegressionResult:
    cited = {address_key(str(citation["address"])) for citation in response["citations"]}
    wanted = {address_key(address) for address in case.references}
    answered = response["outcome"] in ANSWERED
    return RegressionResult(
        case.pk, case.question, response["outcome"], answered, answered and (not wanted or bool(cited & wanted))
    )


async def run_regressions(
    cases: Sequence[RegressionCase], on_each: Callable[[], object], ask: Ask = asking.ask
) -> list[RegressionResult]:
    """Ask the cases one after another, and store each result with its case."""
    found = []
    for case in cases:
        found.append(judge(case, await ask(case.question)))
        await in_thread(_store, found[-1])
        on_each()
    return found


def measure_regressions() -> SuiteFigures:
    """Ask all active cases. Stored by their ids alone, because the questions are readers'."""
    cases = list(RegressionCase.objects.filter(active=True))
    with tqdm(total=len(cases), unit="question", desc="regressions") as bar:
        found = asyncio.run(run_regressions(cases, bar.update))
    rows = [{"case": str(result.case), "outcome": result.outcome, "passed": result.passed} for result in found]
    return SuiteFigures(
        {"regressions": rows},
        lambda: publish("regressions", regressions_report(found, corpus_fingerprint())),
        page="regressions",
        shares=dict(_shares(found)),
        questions=tuple(AskedQuestion(str(result.case), result.outcome, result.passed) for result in found),
        said=f"{len(found)} regression cases asked.",
        failed=failures(found),
    )


def failures(found: Iterable[RegressionResult]) -> str:
    """The cases that failed, one a line; "" where all passed."""
    lines = [
        f"- {result.question}: {result.outcome}{', but cites none of its passages' if result.answered else ''}"
        for result in found
        if not result.passed
    ]
    return "\n".join(["These questions were answered once, and are not now:", *lines]) if lines else ""


def regressions_report(found: Sequence[RegressionResult], corpus: str) -> list[str]:
    """Lines of docs/results/regressions.md: counts only, because the questions are readers'."""
    rows = _shares(found)
    return [
        "## Regression cases",
        "",
        f"{len(found)} questions that were once refused and that an editor's pin answered, asked again over {corpus}. "
        "Admin lists them under *Regression cases*. Regenerate: `manage.py evaluate regressions`.",
        "",
        *(table(("of the cases", "share"), rows) if found else ["There are no cases yet."]),
    ]


def _shares(found: Sequence[RegressionResult]) -> list[tuple[str, Share]]:
    return [
        ("still answered", Share.of(result.answered for result in found)),
        ("still cites a passage of its pin", Share.of(result.passed for result in found)),
    ]


def _store(result: RegressionResult) -> None:
    RegressionCase.objects.filter(pk=result.case).update(
        checked_at=timezone.now(), passed=result.passed, outcome=result.outcome
    )
