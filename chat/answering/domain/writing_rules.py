"""Limits of a written answer, and why one ends early."""

from dataclasses import dataclass

from chat.answering.domain.answer import AnswerWarning


@dataclass(frozen=True, slots=True)
class WritingRules:
    """Evidence: docs/thresholds.md.

    notes: shown to the planner. sentences: asked for. patience: sentences withheld in a row before a model is stopped.
    confidence_floor: 0..1; a whole answer below it is not shown and a lower mode answers, and an answer streamed
    sentence by sentence is called weakly supported. history: messages of the conversation shown to the model, and
    history_chars of each. elsewhere: withheld sentences of a turn that are looked for outside the asked scope.
    """

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


def degraded_warning(mode: str, reason: str) -> AnswerWarning:
    """Warn that a mode could not give the whole answer; `reason` is one word of the provider's errors or the turn's."""
    other = f"The {mode} mode could not give the whole answer ({reason.replace('_', ' ')})."
    return AnswerWarning("DEGRADED", _REASONS.get(reason, other), {"mode": mode, "reason": reason})


class ModeFailure(Exception):
    """The mode cannot give the answer; a lower one takes over, or what was shown stays. `reason` is one word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
