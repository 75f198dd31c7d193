"""What an import did, source by source."""

from dataclasses import dataclass
from typing import Literal

State = Literal["imported", "changed", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What became of one source. `chunks` is how many it has now; `problem` says why it was refused and what to do.

    `title` and `beginning` tell an editor which source it is; `remark` says what else follows from taking it. `kind`
    ("lecture" or "work") and `key` name what was taken. A preview counts the chunks that would be near-duplicates, and
    shows a `sample` of all, (address, text), and which would be `dropped`: (text, title of the source that serves
    instead, percent of wordings in common).
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
    """Every outcome, in the order of the files."""

    outcomes: tuple[ImportOutcome, ...]

    def count(self, state: State) -> int:
        return sum(outcome.state == state for outcome in self.outcomes)

    @property
    def chunks(self) -> int:
        """Chunks of the sources that were imported or changed."""
        return sum(outcome.chunks for outcome in self.outcomes)

    @property
    def duplicates(self) -> int:
        """Chunks that would be near-duplicates, of a preview."""
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
    """Told how much there is to do as that becomes known, and how much is done; this one shows nothing.

    Lectures are counted by lecture, works by verse.
    """

    def grow(self, amount: int) -> None:
        """There is this much more to do, or less where negative."""

    def advance(self, amount: int = 1) -> None:
        """This much more is done."""


SILENT = ImportProgress()
