"""The result of an import, by source."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

OUTCOMES_KEPT = 500  # of the sources of which nothing is to be said
State = Literal["imported", "changed", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """The result for one source.

    chunks: how many it has now. problem: why it was refused and what to do. remark: other effects of the import. title,
    beginning: identify it to an editor. kind: "lecture" or "work".
    Previews only: duplicates: number of near-duplicates. sample: (address, text) of some chunks. dropped: (text, title
    of the source that is found instead, percent of wordings in common).
    """

    source: str
    state: State
    chunks: int = 0
    problem: str = ""
    title: str = ""
    beginning: str = ""
    remark: str = ""
    duplicates: int = 0
    kind: str = ""
    key: str = ""
    sample: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str, int], ...] = ()

    @property
    def says_more(self) -> bool:
        """Is it to be shown, however many sources there are? An outcome without a kind is a curated entry's."""
        return self.state == "refused" or bool(self.remark or self.duplicates) or not self.kind


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of every source: the outcomes in the order of the files, and of many sources the numbers of the rest.

    left_out: how many sources in each state have no outcome here. chunks_left_out: their chunks.
    """

    outcomes: Sequence[ImportOutcome]
    left_out: Mapping[State, int] = field(default_factory=dict)
    chunks_left_out: int = 0

    @classmethod
    def of(cls, outcomes: Iterable[ImportOutcome], most: int | None = OUTCOMES_KEPT) -> "ImportReport":
        """A report with at most so many outcomes that say nothing more than that all went well; None: with every one.

        So a corpus of a million passages needs no memory for as many outcomes.
        """
        kept, left_out, chunks = list[ImportOutcome](), Counter[State](), 0
        for outcome in outcomes:
            if most is None or len(kept) < most or outcome.says_more:
                kept.append(outcome)
            else:
                left_out[outcome.state] += 1
                chunks += outcome.chunks
        return cls(kept, left_out, chunks)

    def count(self, state: State) -> int:
        return sum(outcome.state == state for outcome in self.outcomes) + self.left_out.get(state, 0)

    @property
    def sources(self) -> int:
        return len(self.outcomes) + sum(self.left_out.values())

    @property
    def chunks(self) -> int:
        """Chunks of imported and changed sources."""
        return sum(outcome.chunks for outcome in self.outcomes) + self.chunks_left_out

    @property
    def duplicates(self) -> int:
        """Near-duplicates in a preview."""
        return sum(outcome.duplicates for outcome in self.outcomes)

    @property
    def refused(self) -> tuple[ImportOutcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.state == "refused")

    @property
    def all_refused(self) -> bool:
        return self.count("refused") == self.sources

    @property
    def changed_anything(self) -> bool:
        return self.count("imported") + self.count("changed") > 0


class ImportProgress:
    """Receives the progress of an import, in lectures and verses; this one ignores it."""

    def grow(self, amount: int) -> None:
        """Add to the total; negative to reduce it."""

    def advance(self, amount: int = 1) -> None:
        pass


SILENT = ImportProgress()
