"""What an import did, source by source."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

State = Literal["imported", "changed", "unchanged", "refused"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source. `chunks` is how many it has now; `problem` says why it was refused and what to do."""

    source: str
    state: State
    chunks: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Every outcome, in the order of the files."""

    outcomes: tuple[Outcome, ...]

    def count(self, state: State) -> int:
        return sum(outcome.state == state for outcome in self.outcomes)

    @property
    def chunks(self) -> int:
        """Chunks of the sources that were imported or changed."""
        return sum(outcome.chunks for outcome in self.outcomes)

    @property
    def refused(self) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.state == "refused")

    @property
    def all_refused(self) -> bool:
        return len(self.refused) == len(self.outcomes)

    @property
    def changed_anything(self) -> bool:
        return any(outcome.state in ("imported", "changed") for outcome in self.outcomes)


OnOutcome = Callable[[Outcome], None]
