"""Runs the labelled claims of the golden set through the whole verification, and reports verdicts by label."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from audit.domain.metrics import Share
from evaluation.domain.report_parts import limit_of, limits
from evaluation.escape.handwritten.checking import CheckedHandwritten, check_claims, verdict_counts, verdict_table
from evaluation.escape.handwritten.claims import HandwrittenClaim

CLAIM = {"id": object, "address": str, "evidence": str, "claim": str, "label": str, "error_type": str}
LABELS = ("supported", "contradicted", "unsupported")


async def run_claims(rows: Sequence[Mapping[str, Any]], on_each: Callable[[], object]) -> list[CheckedHandwritten]:
    """Check each row's claim as a sentence that cites its evidence."""
    claims = [
        HandwrittenClaim(
            row["claim"].rstrip(),
            row["label"],
            "" if row["error_type"] == "none" else row["error_type"],
            row["address"],
            row["evidence"],
            "lecture",
        )
        for row in rows
    ]
    return await check_claims(claims, None, on_each)


def claims_report(checked: Sequence[CheckedHandwritten], verifier: str) -> list[str]:
    """Lines of docs/results/claims.md."""
    false = [claim for claim in checked if claim.claim.is_false]
    true = [claim for claim in checked if not claim.claim.is_false]
    shown, supported = Share.of(claim.is_shown for claim in false), Share.of(claim.is_supported for claim in false)
    lost = Share.of(not claim.is_shown for claim in true)
    errors = Counter(claim.claim.kind.replace("_", " ") for claim in false if claim.is_shown)
    verdicts = Counter(claim.outcome.removeprefix("withheld: ") for claim in true if not claim.is_shown)
    return [
        "## Labelled claims through the whole verification",
        "",
        f"The {len(checked)} claims of golden/claims_dev.jsonl, each as a sentence that cites its own paragraph, "
        f"through every guard (with the shipped books and glossary) and `{verifier}`. False claims shown at all: "
        f"{shown}; shown as supported: {supported}. True claims withheld: {lost}. Regenerate: `manage.py evaluate "
        "claims`.",
        "",
        limits(limit_of("false claims shown", errors), limit_of("true claims withheld", verdicts)),
        "",
        *verdict_table(verdict_counts(checked, LABELS)),
    ]
