"""Reads the JSON lines of an `extract_facts` model. Whatever is not a fact with evidence in the text is rejected."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from curation.domain.facts.candidate import FactCandidate

LONGEST = {"subject": 200, "predicate": 200, "object": 500, "content": 2000}
PROSE, INCOMPLETE, UNKNOWN_SPAN = "no JSON object", "a field is missing or too long", "evidence is not in the text"
KINDS = ("fact", "event", "opinion")
USUAL_CONFIDENCE = 0.7


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """The facts of a model's answer, and why other lines were rejected, with how many."""

    candidates: tuple[FactCandidate, ...]
    rejected: Mapping[str, int]


def parse_facts(answer: str, text: str, today: date) -> ModelFacts:
    """One JSON object a line; an empty answer has no facts. text: the source whose exact words are the evidence."""
    found, rejected = [], Counter[str]()
    for line in filter(None, (line.strip() for line in answer.splitlines())):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        outcome = _candidate(row, text, today) if isinstance(row, dict) else PROSE
        if isinstance(outcome, str):
            rejected[outcome] += 1
        else:
            found.append(outcome)
    return ModelFacts(tuple(found), dict(rejected))


def _candidate(row: Mapping[str, Any], text: str, today: date) -> FactCandidate | str:
    said = {name: _line(row.get(name)) for name in LONGEST}
    if any(not value or len(value) > LONGEST[name] for name, value in said.items()):
        return INCOMPLETE
    evidence, kind, holder = row.get("evidence"), row.get("type", "fact"), _line(row.get("holder"))
    if kind not in KINDS or (kind == "opinion" and not holder):
        return INCOMPLETE
    if not isinstance(evidence, str) or not evidence.strip() or evidence not in text:
        return UNKNOWN_SPAN
    start = text.index(evidence)
    return FactCandidate(
        **said, evidence=(start, start + len(evidence)), kind=kind, holder=holder[: LONGEST["subject"]],
        valid_from=_day(row.get("valid_from"), today), confidence=_confidence(row.get("confidence")),
    )  # fmt: skip


def _line(value: object) -> str:
    return " ".join(value.replace("\0", "").split()) if isinstance(value, str) else ""


def _day(value: object, today: date) -> date | None:
    """None for what is no date, and for a day that has not come."""
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return day if day and day <= today else None


def _confidence(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return min(1.0, max(0.0, float(value))) if is_number else USUAL_CONFIDENCE  # type: ignore[arg-type]
