"""The result of an import, by source."""

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class ImportReport:
    """All outcomes, in the order of the files."""

    outcomes: tuple[ImportOutcome, ...]

    def count(self, state: State) -> int:
        return sum(outcome.state == state for outcome in self.outcomes)

    @property
    def chunks(self) -> int:
        """Chunks of imported and changed sources."""
        return sum(outcome.chunks for outcome in self.outcomes)

    @property
    def duplicates(self) -> int:
        """Near-duplicates in a preview."""
        return sum(outcome.duplicates for outcome in self.outcomes)

    @property
    def refused(self) -> tuple[ImportOutcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.state == "refused")

    @property
    def all_refused(self) -> bool:
        return len(self.refused) == len(self.outcomes)

    @property
    def changed_anything(self) -> bool:
        return any(outcome.state in ("imported", "changed") for outcome in self.outcomes)


class ImportProgress:
    """Receives the progress of an import, in lectures and verses; this one ignores it."""

    def grow(self, amount: int) -> None:
        """Add to the total; negative to reduce it."""

    def advance(self, amount: int = 1) -> None:
        pass


SILENT = ImportProgress()
