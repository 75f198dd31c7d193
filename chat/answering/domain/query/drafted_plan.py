"""A model's additions to the plan: other wordings of the question, never another question."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

KINDS = ("verse", "lecture", "library")
MOST = 3  # wordings of each kind
LONGEST = 300  # characters of a wording
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "standalone": {"type": "string"},
        "rephrasings": {"type": "array", "items": {"type": "string"}},
        "parts": {"type": "array", "items": {"type": "string"}},
        "kinds": {"type": "array", "items": {"enum": list(KINDS)}},
    },
    "required": ["standalone", "rephrasings", "parts", "kinds"],
    "additionalProperties": False,
}


class PlanFault(ValueError):
    """The model's output is not a plan; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class DraftedPlan:
    """A model's plan. standalone: the question without references to earlier messages. kinds: of passage asked for."""

    standalone: str
    rephrasings: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()


def parse_plan(text: str) -> DraftedPlan:
    """Parse the object that SCHEMA describes; ignores unknown kinds and surplus wordings. Raises PlanFault."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlanFault("not JSON") from error
    if not isinstance(data, dict) or not isinstance(data.get("standalone"), str):
        raise PlanFault('no "standalone" question')
    kinds = data.get("kinds")
    return DraftedPlan(
        " ".join(data["standalone"].split())[:LONGEST],
        _texts(data.get("rephrasings")),
        _texts(data.get("parts")),
        frozenset(kind for kind in kinds if kind in KINDS) if isinstance(kinds, list) else frozenset(),
    )


def keeps_the_question(asked: Collection[str], rewritten: Collection[str]) -> bool:
    """Whether a rewritten question contains every topic word of the original. Both are lexemes.

    Pronouns are not topic words, so a rewrite may replace them; a different question would lose other words too.
    """
    return bool(rewritten) and set(asked) <= set(rewritten)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    texts = (" ".join(text.split())[:LONGEST] for text in value if isinstance(text, str))
    return tuple(dict.fromkeys(filter(None, texts)))[:MOST]
