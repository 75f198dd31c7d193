"""Rules of the way from a knowledge gap to its answer: what the pin is filled with, and when a question is answered."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from audit.domain.outcomes import ANSWERED


@dataclass(frozen=True, slots=True)
class GapPinRules:
    """What a pin is filled with at most. asked_again: questions of a gap that are asked again, most asked first."""

    phrasings: int = 6
    references: int = 4
    asked_again: int = 25


def other_wordings(question: str, asked: Iterable[str], fold: Callable[[str], str], rules: GapPinRules) -> list[str]:
    """The other questions of a gap, in their order, each wording once."""
    once = {fold(text): text.strip() for text in reversed(list(asked)) if fold(text)}
    once.pop(fold(question), None)
    return list(reversed(once.values()))[: rules.phrasings]


def likely_references(nearest: Iterable[tuple[Sequence[str], int]]) -> list[str]:
    """The addresses nearest to the questions of a gap, best first. nearest: (addresses, closest first; times asked)."""
    votes: Counter[str] = Counter()
    for addresses, times in nearest:
        for place, address in enumerate(addresses, start=1):
            votes[address] += max(times, 1) / place  # type: ignore[assignment]
    return [address for address, _ in votes.most_common()]


def answers_gap(kind: str, outcome: str, *, cites_pin: bool) -> bool:
    """Whether asking again shows that a question is answered now.

    A refused question is, once there is an answer. One that had an answer, which fell short, is once the pin is cited.
    """
    return outcome in ANSWERED and (kind == "refused" or cites_pin)
