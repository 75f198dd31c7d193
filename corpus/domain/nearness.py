"""How many rows a vector search scans, by corpus size."""

from dataclasses import dataclass
from math import ceil, log2


@dataclass(frozen=True, slots=True)
class NearnessRules:
    """exact_below: rows in a scope below which all are compared, in a few milliseconds and without misses.

    looked_at: rows scanned in a corpus of up to `enough`, or passed from a binary index to exact ordering; `step` more
    for each doubling, at most `most`, which is PostgreSQL's limit.
    sentences: nearest sentences fetched per wanted chunk, since several can belong to one chunk.
    """

    exact_below: int = 5_000
    looked_at: int = 400
    enough: int = 50_000
    step: int = 200
    most: int = 1_000
    sentences: int = 3


def looked_at(rows: int, rules: NearnessRules) -> int:
    """Rows an index scan looks at in a corpus of `rows`; never decreases as the corpus grows."""
    doublings = ceil(log2(max(rows, rules.enough) / rules.enough))
    return min(rules.most, rules.looked_at + rules.step * doublings)
