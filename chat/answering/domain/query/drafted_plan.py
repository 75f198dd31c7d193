"""What a model may add to the rules' plan: another wording of the question, never another question."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

KINDS = ("verse", "lecture", "library")
MOST = 3  # wordings of each kind
LONGEST = 300  # characters of one
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
    """What came is no plan; the message says why, for the record."""


@dataclass(frozen=True, slots=True)
class DraftedPlan:
    """A model's plan: the question by itself, other wordings, parts, and the kinds of passage asked for."""

    standalone: str
    rephrasings: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()


def parse_plan(text: str) -> DraftedPlan:
    """Read the object that SCHEMA describes; unknown kinds and surplus wordings are left out. Raises PlanFault."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlanFault("it is not JSON") from error
    if not isinstance(read, dict) or not isinstance(read.get("standalone"), str):
        raise PlanFault('it has no "standalone" question')
    kinds = read.get("kinds")
    return DraftedPlan(
        " ".join(read["standalone"].split())[:LONGEST],
        _texts(read.get("rephrasings")),
        _texts(read.get("parts")),
        frozenset(kind for kind in kinds if kind in KINDS) if isinstance(kinds, list) else frozenset(),
    )


def keeps_the_question(asked: Collection[str], rewritten: Collection[str]) -> bool:
    """Does a rewritten question still hold every topic word of the one that was asked?

    Words that point back carry no topic, so they may go; a model that asks something else loses others too.
    """
    return bool(rewritten) and set(asked) <= set(rewritten)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    texts = (" ".join(one.split())[:LONGEST] for one in value if isinstance(one, str))
    return tuple(dict.fromkeys(filter(None, texts)))[:MOST]
