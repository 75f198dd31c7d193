"""The states of a pin or note, and which step leads from one to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PUBLISHED = "published"
NAMES: Mapping[str, str] = MappingProxyType(
    {"draft": "a draft", "in_review": "in review", "published": "published", "withdrawn": "withdrawn"}
)


@dataclass(frozen=True, slots=True)
class StateStep:
    """A change of state. done: its past participle, as in the history and in messages."""

    verb: str
    done: str
    start: tuple[str, ...]
    end: str


SUBMIT = StateStep("submit", "Submitted for review", ("draft", "withdrawn"), "in_review")
PUBLISH = StateStep("publish", "Published", ("draft", "in_review", "withdrawn"), "published")
WITHDRAW = StateStep("withdraw", "Withdrawn", ("in_review", "published"), "withdrawn")


def objection(step: StateStep, state: str) -> str:
    """Why an entry in this state cannot take the step; "" where it can."""
    if state in step.start:
        return ""
    return f"It is {NAMES[state]}, so there is nothing to {step.verb}."


def needs_reviewer(before: str, after: str) -> bool:
    """Whether a change touches what readers see: an entry that is published before or after it."""
    return PUBLISHED in (before, after)


def state_before(states: tuple[str, ...]) -> str | None:
    """The state that undoing returns to; None without an earlier one. states: of all versions, newest first."""
    return next((state for state in states if state != states[0]), None)
