"""How many rows a search by meaning looks at, by how many there are."""

from dataclasses import dataclass
from math import ceil, log2


@dataclass(frozen=True, slots=True)
class NearnessRules:
    """exact_below: rows in a scope below which all of them are compared, in a few milliseconds, and none is missed.

    looked_at: rows an index scan looks at, or a binary index hands on to be ordered exactly, in a corpus of `enough`;
    `step` more for each time it doubles from there, up to `most`, which is all that PostgreSQL takes.
    sentences: nearest sentences fetched for each chunk wanted, because several of them may be of one chunk.
    """

    exact_below: int = 5_000
    looked_at: int = 400
    enough: int = 50_000
    step: int = 200
    most: int = 1_000
    sentences: int = 3


def looked_at(rows: int, rules: NearnessRules) -> int:
    """Return how many rows a scan of an index of so many looks at; it grows in steps and never shrinks."""
    doublings = ceil(log2(max(rows, rules.enough) / rules.enough))
    return min(rules.most, rules.looked_at + rules.step * doublings)
