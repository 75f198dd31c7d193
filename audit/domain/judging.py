"""The blind comparison of two answers to a question: which side is shown first, and what many verdicts come to.

Sides are assigned by a hash of the question, so a judge cannot favour one by its place. A sample is asked again with
the places swapped, which shows how much the judge goes by place, and again unchanged, which shows its noise.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.domain.metrics import Share

CRITERIA = ("faithfulness", "completeness", "structure", "balance")


@dataclass(frozen=True, slots=True)
class JudgeRules:
    """When a judge's verdicts are not used. Evidence: docs/thresholds.md.

    least_swapped: swapped pairs below which the place cannot be judged. most_by_place: the largest share of swapped
    pairs decided alike by place that is accepted. most_unjudged: the largest share of pairs without a verdict.
    """

    least_swapped: int = 8
    most_by_place: float = 0.5
    most_unjudged: float = 0.2


class Choice(StrEnum):
    """A judge's verdict by place."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


class Winner(StrEnum):
    A = "a"
    B = "b"
    TIE = "tie"


class Round(StrEnum):
    """Which asking of a pair: the first, with the places swapped, or once more unchanged."""

    PLAIN = "plain"
    SWAPPED = "swapped"
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """The judge's choices on one pair by criterion; none without a usable verdict. first: the side shown first."""

    question: str
    round: Round
    first: Winner
    choices: Mapping[str, Choice]

    def winner(self, criterion: str) -> Winner | None:
        choice = self.choices.get(criterion)
        if choice is None:
            return None
        return winner_of(choice, self.first)


def first_side(question: str) -> Winner:
    """The side that is shown first: by a hash of the question, so it is half of them and never chosen."""
    return Winner.A if hashlib.sha256(question.encode()).digest()[0] % 2 == 0 else Winner.B


def other(side: Winner) -> Winner:
    return {Winner.A: Winner.B, Winner.B: Winner.A}.get(side, side)


def winner_of(choice: Choice, first: Winner) -> Winner:
    if choice is Choice.TIE:
        return Winner.TIE
    return first if choice is Choice.FIRST else other(first)


def sign_test(wins: int, losses: int) -> float:
    """The two-sided exact probability, 0..1, of a split at least as uneven by chance; ties are left out."""
    total = wins + losses
    tail = sum(math.comb(total, k) for k in range(min(wins, losses) + 1))
    return float(min(1.0, 2 * tail / 2**total))


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """Pairs won by each side, and ties. a_wins: side A's share of the decided pairs."""

    criterion: str
    a: int
    b: int
    ties: int

    @property
    def a_wins(self) -> Share:
        return Share(self.a, self.a + self.b)

    @property
    def chance(self) -> float:
        return sign_test(self.a, self.b)


@dataclass(frozen=True, slots=True)
class JudgeQuality:
    """How far the judge can be trusted.

    by_place: of the swapped pairs decided both times, those won by the same place. noise: of the repeated ones, those
    with another verdict. first: of all decided verdicts, those for the place shown first. unjudged: of all askings.
    """

    by_place: Share
    noise: Share
    first: Share
    unjudged: Share

    def as_shares(self) -> dict[str, Share]:
        return {"by_place": self.by_place, "noise": self.noise, "first": self.first, "unjudged": self.unjudged}


def results_of(verdicts: Iterable[PairVerdict]) -> list[CriterionResult]:
    """The result by criterion, of the first asking of each pair only."""
    plain = [verdict for verdict in verdicts if verdict.round is Round.PLAIN]
    found = []
    for criterion in CRITERIA:
        winners = [verdict.winner(criterion) for verdict in plain]
        found.append(CriterionResult(criterion, *(winners.count(side) for side in Winner)))
    return found


def quality_of(verdicts: Sequence[PairVerdict]) -> JudgeQuality:
    """Over all criteria together."""
    by_round = {kind: {v.question: v for v in verdicts if v.round is kind} for kind in Round}
    plain = by_round[Round.PLAIN]
    by_place, noise = list[bool](), list[bool]()
    for question, again in by_round[Round.SWAPPED].items():
        for one, two in _choices(plain.get(question), again):
            if Choice.TIE not in (one, two):
                by_place.append(one == two)
    for question, again in by_round[Round.REPEATED].items():
        noise += [one != two for one, two in _choices(plain.get(question), again)]
    decided = [choice for verdict in plain.values() for choice in verdict.choices.values() if choice is not Choice.TIE]
    return JudgeQuality(
        Share.of(by_place),
        Share.of(noise),
        Share.of(choice is Choice.FIRST for choice in decided),
        Share.of(not verdict.choices for verdict in verdicts),
    )


def fault_of(quality: JudgeQuality, rules: JudgeRules) -> str:
    """Why the verdicts of this judge cannot be used; "" where they can."""
    if quality.unjudged.value > rules.most_unjudged:
        return f"The judge gave no usable verdict in {quality.unjudged.hits} of {quality.unjudged.total} askings."
    if quality.by_place.total >= rules.least_swapped and quality.by_place.value > rules.most_by_place:
        swapped = quality.by_place
        kept = f"{swapped.hits} of {swapped.total} swapped verdicts"
        return f"The judge goes by place: it kept the place, not the answer, in {kept}."
    return ""


def _choices(first: PairVerdict | None, again: PairVerdict) -> list[tuple[Choice, Choice]]:
    if first is None:
        return []
    both = first.choices.keys() & again.choices.keys()
    return [(first.choices[criterion], again.choices[criterion]) for criterion in sorted(both)]
