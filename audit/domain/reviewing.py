"""What reviewers' decisions on one turn come to: nothing, or a labelled case for the evaluation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from audit.domain.comparison import plain
from audit.domain.outcomes import ANSWERED

REVIEWERS = 2  # decisions that an item waits for
REVIEWED = ANSWERED | {"closest_passage", "refused", "out_of_corpus", "asked_back"}  # outcomes worth reviewing


class Decision(StrEnum):
    """Whether a reviewer agrees with what the product did."""

    AGREE = "agree"
    DISAGREE = "disagree"
    UNSURE = "unsure"


class CaseKind(StrEnum):
    """WRONG: these sentences must not be shown again. ANSWERABLE: the question must be answered."""

    WRONG = "wrong"
    ANSWERABLE = "answerable"


class CaseState(StrEnum):
    """PROPOSED: one reviewer disagrees, the other is unsure or has not looked. CONTESTED: the other agrees."""

    PROPOSED = "proposed"
    CONFIRMED = "confirmed"
    CONTESTED = "contested"


@dataclass(frozen=True, slots=True)
class GivenDecision:
    """sentences: places from 1 of the sentences that the reviewer calls wrong; empty for the whole answer."""

    decision: Decision
    sentences: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """sentences: the texts that must not be shown again, for WRONG."""

    kind: CaseKind
    state: CaseState
    sentences: tuple[str, ...]


def label_of(outcome: str, shown: Sequence[str], decisions: Sequence[GivenDecision]) -> LabelledTurn | None:
    """The case of a reviewed turn; None where nobody disagrees. shown: the texts of its sentences."""
    against = [given for given in decisions if given.decision is Decision.DISAGREE]
    if not against:
        return None
    if any(given.decision is Decision.AGREE for given in decisions):
        state = CaseState.CONTESTED
    else:
        state = CaseState.CONFIRMED if len(against) >= REVIEWERS else CaseState.PROPOSED
    if outcome not in ANSWERED and outcome != "out_of_corpus":
        return LabelledTurn(CaseKind.ANSWERABLE, state, ())
    places = sorted({place for given in against for place in given.sentences if 1 <= place <= len(shown)})
    wrong = [shown[place - 1] for place in places] or list(shown)
    return LabelledTurn(CaseKind.WRONG, state, tuple(wrong))


def passes(kind: str, wrong: Sequence[str], response: Mapping[str, Any]) -> bool:
    """Whether an answer of today does not repeat what reviewers disagreed with."""
    if kind == CaseKind.ANSWERABLE:
        return response["outcome"] in ANSWERED
    shown = {plain(sentence["text"]) for sentence in response["sentences"]}
    return shown.isdisjoint(map(plain, wrong))
