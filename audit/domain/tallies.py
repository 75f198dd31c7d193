"""Counts by day, kind and name, and the days and weeks they are summed over."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class TallyKind(StrEnum):
    """What is counted, e.g. turns by outcome. The names of FAITHFULNESS are "turns" and "sum"."""

    OUTCOME = "outcome"
    DELETED_OUTCOME = "deleted_outcome"
    REFUSAL = "refusal"
    DELETED_REFUSAL = "deleted_refusal"
    ANSWER = "answer"
    TURN = "turn"
    FAITHFULNESS = "faithfulness"
    SENTENCE = "sentence"
    SHOWN = "shown"
    CLAIM_WRITTEN = "claim_written"
    CLAIM_SHOWN = "claim_shown"
    MARKER = "marker"
    DROPPED = "dropped"
    WITHHELD = "withheld"
    FEEDBACK = "feedback"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Count:
    """A number of one kind and name on a day (UTC)."""

    day: date
    kind: TallyKind
    name: str
    number: float


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts summed by kind and name."""

    counts: Mapping[tuple[TallyKind, str], float]

    @classmethod
    def of(cls, counts: Iterable[Count]) -> "Tally":
        summed: dict[tuple[TallyKind, str], float] = {}
        for count in counts:
            summed[count.kind, count.name] = summed.get((count.kind, count.name), 0) + count.number
        return cls(summed)

    def exactly(self, kind: TallyKind, name: str) -> float:
        return self.counts.get((kind, name), 0)

    def number(self, *kinds: TallyKind, among: AbstractSet[str] | None = None) -> int:
        """The sum over these kinds, of all names or of those in `among`."""
        found = (n for (kind, name), n in self.counts.items() if kind in kinds and (among is None or name in among))
        return round(sum(found))

    def by_name(self, *kinds: TallyKind) -> dict[str, int]:
        """The sum for each name over these kinds, largest first."""
        names = {name for kind, name in self.counts if kind in kinds}
        numbers = {name: self.number(*kinds, among={name}) for name in names}
        return dict(sorted(numbers.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Span:
    """The days from first to last, both included."""

    first: date
    last: date

    @classmethod
    def ending(cls, last: date, days: int) -> "Span":
        return cls(last - timedelta(days=days - 1), last)

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    def days(self) -> Iterator["Span"]:
        for offset in range((self.last - self.first).days + 1):
            day = self.first + timedelta(days=offset)
            yield Span(day, day)

    def weeks(self) -> Iterator["Span"]:
        """Each calendar week from Monday to Sunday; the first and last are cut to this span."""
        first = self.first
        while first <= self.last:
            last = min(monday_of(first) + timedelta(days=6), self.last)
            yield Span(first, last)
            first = last + timedelta(days=1)


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def tallied(counts: Iterable[Count], spans: Iterable[Span]) -> list[tuple[Span, Tally]]:
    """The tally of each span, including spans without a count."""
    listed = list(counts)
    return [(span, Tally.of(count for count in listed if count.day in span)) for span in spans]
