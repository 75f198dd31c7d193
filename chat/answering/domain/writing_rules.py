"""Limits of a written answer, and the messages for answers that end early."""

from dataclasses import dataclass

from chat.answering.domain.answer import AnswerWarning


@dataclass(frozen=True, slots=True)
class WritingRules:
    """Evidence: docs/thresholds.md.

    notes: shown to the planner. sentences: requested in the prompt. patience: consecutive withheld sentences that stop
    the model. confidence_floor: 0..1; below it a whole answer is not shown and a lower mode answers, and an answer
    already shown gets a warning. history: earlier messages shown to the model, and history_chars of each. elsewhere:
    withheld sentences per turn that are searched for outside the scope.
    """

    notes: int = 12
    sentences: int = 8
    patience: int = 8
    confidence_floor: float = 0.5
    history: int = 4
    history_chars: int = 600
    elsewhere: int = 3


REASONS = {
    "budget_reached": "Today's budget for written answers is used up, so this answer only quotes the sources. "
    "The budget resets at 00:00 UTC.",
    "more_stands_there": "Only the first of the passages you asked for are quoted. Ask for fewer at once to see the "
    "others.",
    "weakly_supported": "Some of this is only weakly supported by its sources. Open them before you rely on it.",
    "only_the_passages": "No other passage answers your question, so only the passage you named is quoted.",
}


# Other reasons for which a mode could not give the whole answer: the turn's, and the faults of model providers.
FAULTS = (
    "low_confidence", "babble", "no_model", "failed", "provider_error", "refused_request", "wrong_key", "model_missing",
    "context_too_long", "garbled", "unavailable", "unreachable", "too_slow", "rate_limited", "server_fault", "cut_off",
    "empty_answer", "circuit_open",
)  # fmt: skip


def degraded_warning(mode: str, reason: str) -> AnswerWarning:
    """Warn that a mode could not give the whole answer; `reason` is one word of the provider's errors or the turn's."""
    other = f"The {mode} mode could not give the whole answer ({reason.replace('_', ' ')})."
    return AnswerWarning("DEGRADED", REASONS.get(reason, other), {"mode": mode, "reason": reason})


class ModeFailure(Exception):
    """The mode cannot complete the answer, so a lower mode takes over or the shown part stays. reason: one word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
