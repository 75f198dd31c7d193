"""Time and cost of a turn by stage, from its record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from audit.domain.inspection.words import STAGES, in_words

# The stage whose time each job of a model is part of; any other job runs after the answer.
STAGE_OF_JOB = {
    "route": "route", "plan": "plan", "translate": "plan", "outline": "synthesize", "synthesize": "synthesize",
    "knowledge": "synthesize", "cove": "verify", "verify": "verify", "extract_claims": "verify",
}  # fmt: skip
AFTER = "after"


@dataclass(frozen=True, slots=True)
class StageCost:
    """milliseconds: None for work after the answer. share: of the whole turn's time, 0..100, the width of a bar."""

    name: str
    milliseconds: int | None
    share: str
    calls: int
    tokens: int
    cost: Decimal


def stage_costs(timings: Mapping[str, int], calls: Sequence[Mapping[str, Any]]) -> list[StageCost]:
    """One row for each stage that took time or called a model, then the whole turn."""
    asked = [call for call in calls if call.get("outcome") != "builtin"]
    by_stage: dict[str, list[Mapping[str, Any]]] = {}
    for call in asked:
        by_stage.setdefault(STAGE_OF_JOB.get(str(call.get("job")), AFTER), []).append(call)
    total = timings.get("total", 0)
    names = [name for name in (*STAGES, AFTER) if name != "total" and (name in timings or name in by_stage)]
    rows = [_row(name, timings.get(name), total, by_stage.get(name, [])) for name in names]
    return [*rows, _row("total", total, total, asked)]


def _row(name: str, took: int | None, total: int, calls: Sequence[Mapping[str, Any]]) -> StageCost:
    return StageCost(
        "After the answer" if name == AFTER else in_words(STAGES, name),
        took,
        f"{100 * took / total:.1f}" if took and total else "0",
        len(calls),
        sum(call.get("tokens_in", 0) + call.get("tokens_out", 0) for call in calls),
        sum((Decimal(str(call.get("cost") or 0)) for call in calls), Decimal(0)),
    )
