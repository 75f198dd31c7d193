"""Limits of a written answer, and why one ends early."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WritingRules:
    """Evidence: docs/thresholds.md. notes: shown to the planner. sentences: asked for. patience: withheld in a row
    before a model is stopped. confidence_floor: 0..1, below which a whole answer is not shown and a lower mode answers,
    and one that was shown sentence by sentence is called weakly supported.
    history: messages of the conversation shown, and history_chars of each. elsewhere: withheld sentences of a turn that
    are looked for outside the scope that was asked."""

    notes: int = 12
    sentences: int = 8
    patience: int = 8
    confidence_floor: float = 0.5
    history: int = 4
    history_chars: int = 600
    elsewhere: int = 3


_REASONS = {
    "budget_reached": "Today's budget for written answers is used up, so this is answered in the sources' own words. "
    "It begins anew at 00:00 UTC.",
    "more_stands_there": "Only the first of the passages you asked for are quoted here; ask for fewer at once to see "
    "the others.",
    "weakly_supported": "Not all of this is well supported by what it cites: open the sources before you rely on it.",
    "only_the_passages": "Nothing else that was found answers what you ask about it, so only what you named is quoted.",
}


def degraded_message(mode: str, reason: str) -> str:
    """Return what a reader is told where a mode could not answer; `reason` is one word of the provider or the turn."""
    other = f"The {mode} mode could not give the whole answer ({reason.replace('_', ' ')})."
    return _REASONS.get(reason, other)


class ModeFailure(Exception):
    """The mode cannot give the answer; a lower one takes over, or what was shown stays. `reason` is one word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
