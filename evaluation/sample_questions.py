"""Fixed questions about the sample corpus, each with the outcome it must have and the lecture it must cite."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from tqdm import tqdm

from audit.domain.metrics import Share
from audit.domain.outcomes import ANSWERED
from audit.domain.run_comparison import AskedQuestion
from corpus.selectors import corpus_fingerprint
from evaluation.results import publish
from evaluation.stored_run import SuiteFigures
from lectorium import asking
from lectorium.report_table import table

Ask = Callable[[str], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """expect: addresses or lectures of which one must be cited; empty where nothing in the samples answers."""

    text: str
    expect: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SampleResult:
    question: SampleQuestion
    outcome: str
    cited: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """A place that must be cited may be cited by a closest passage too; an answer is never invented."""
        if not self.question.expect:
            return self.outcome not in ANSWERED
        return any(
            found == place or found.startswith(f"{place}:") for found in self.cited for place in self.question.expect
        )


def sample_questions() -> list[SampleQuestion]:
    stored = json.loads((settings.BASE_DIR / "samples" / "questions.json").read_text(encoding="utf-8"))
    return [
        *(SampleQuestion(row["question"], tuple(row["expect"])) for row in stored["answerable"]),
        *(SampleQuestion(row["question"], ()) for row in stored["refused"]),
    ]


async def ask_samples(
    questions: Sequence[SampleQuestion], on_each: Callable[[], object], ask: Ask = asking.ask
) -> list[SampleResult]:
    found = []
    for question in questions:
        response = await ask(question.text)
        cited = tuple(sorted({str(citation["address"]) for citation in response["citations"]}))
        found.append(SampleResult(question, response["outcome"], cited))
        on_each()
    return found


def failures(found: Iterable[SampleResult]) -> str:
    """The questions that got worse, each with what was wanted; "" where all passed."""
    lines = [
        f"- {result.question.text}: {result.outcome}, cites {', '.join(result.cited) or 'nothing'}; wanted "
        + (" or ".join(result.question.expect) or "no answer")
        for result in found
        if not result.passed
    ]
    return "\n".join(["These questions about the samples got worse:", *lines]) if lines else ""


def measure_samples(options: Mapping[str, Any]) -> SuiteFigures:
    questions = sample_questions()
    with tqdm(total=len(questions), unit="question", desc="samples") as bar:
        found = asyncio.run(ask_samples(questions, bar.update))
    shares = {
        "cites its lecture": Share.of(result.passed for result in found if result.question.expect),
        "not answered": Share.of(result.passed for result in found if not result.question.expect),
    }
    return SuiteFigures(
        {"samples": [{"question": r.question.text, "outcome": r.outcome, "passed": r.passed} for r in found]},
        lambda: publish("samples", _report(shares, len(found), corpus_fingerprint())),
        page="samples",
        shares=shares,
        questions=tuple(
            AskedQuestion(result.question.text[:80], result.outcome, result.passed, result.question.text)
            for result in found
        ),
        said=f"{len(found)} questions about the samples asked.",
        failed=failures(found),
    )


def _report(shares: Mapping[str, Share], asked: int, corpus: str) -> list[str]:
    return [
        "## Sample questions",
        "",
        f"{asked} questions of `samples/questions.json`, asked over {corpus}. "
        "Regenerate: `manage.py evaluate samples`.",
        "",
        *table(("", "share"), shares.items()),
    ]
