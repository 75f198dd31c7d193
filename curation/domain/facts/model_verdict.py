"""Reads the answer of a `consistency` model."""

import json

from curation.domain.facts.consistency import (
    RULES,
    ConsistencyRules,
    FactJudgement,
    StoredFact,
    evolution,
    is_apart,
)

VERDICTS = ("equivalent", "temporal_evolution", "contradiction", "distinct")


def parse_verdict(
    answer: str, one: StoredFact, other: StoredFact, rules: ConsistencyRules = RULES
) -> FactJudgement | None:
    """None for prose. A model may not call facts evolved whose days are unknown or close: that is for review."""
    try:
        row = json.loads(answer)
    except ValueError:
        return None
    if not isinstance(row, dict) or row.get("verdict") not in VERDICTS:
        return None
    verdict, because = row["verdict"], " ".join(str(row.get("because", "")).split())[:300]
    if verdict == "temporal_evolution":
        if is_apart(one, other, rules):
            return evolution(one, other, because)
        verdict, because = "contradiction", f"{because} (too close in time to follow one another)".strip()
    kept = None
    if verdict == "equivalent":
        kept = max(one, other, key=lambda fact: (fact.is_editors, fact.confidence, -fact.id.int)).id
    return FactJudgement(verdict, because, kept)
