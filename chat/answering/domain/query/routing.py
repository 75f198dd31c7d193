"""A model's label for a question. What is no label is "single hop": searching in vain is the cheapest mistake."""

import json
from dataclasses import dataclass
from typing import Any

from chat.answering.domain.question import Route

FLAGS = ("false_premise", "injection")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "label": {"enum": [route.value for route in Route]},
        **{flag: {"type": "boolean"} for flag in FLAGS},
    },
    "required": ["label", *FLAGS],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class RoutingDecision:
    """The label, and signals to record, which never decide anything."""

    route: Route = Route.SINGLE_HOP
    flags: tuple[str, ...] = ()


def parse_route(text: str) -> RoutingDecision:
    """Read the object that SCHEMA describes; whatever else came is a single hop without flags.

    "address" is one too: what can be found by its address the rules have found before a model is asked.
    """
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return RoutingDecision()
    label = read.get("label") if isinstance(read, dict) else None
    if label not in [route.value for route in Route]:
        return RoutingDecision()
    route = Route.SINGLE_HOP if label == Route.ADDRESS else Route(label)
    return RoutingDecision(route, tuple(flag for flag in FLAGS if read.get(flag) is True))
