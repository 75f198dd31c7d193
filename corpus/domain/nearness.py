"""How many rows a vector search scans: as measured in this corpus, otherwise by its size."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, log2


@dataclass(frozen=True, slots=True)
class NearnessRules:
    """exact_below: rows in a scope below which all are compared, in a few milliseconds and without misses.
    joined_below: the same where languages or kinds are asked for, which only the chunks know.
    spare: rows fetched beyond those wanted, since some of the nearest may be hidden. widened: how many times as many
    are fetched where too many of them are.

    looked_at: rows scanned in a corpus of up to `enough`, or passed from a binary index to exact ordering; `step` more
    for each doubling, at most `most`, which is PostgreSQL's limit for one scan.
    sentences: nearest sentences fetched per wanted chunk, since several can belong to one chunk.
    depth: nearest chunks whose recall is tuned, as many as a turn asks for. grown: times the vectors there were when a
    space was tuned, up to which that counts.
    """

    exact_below: int = 20_000
    joined_below: int = 5_000
    spare: int = 20
    widened: int = 4
    looked_at: int = 400
    enough: int = 50_000
    step: int = 200
    most: int = 1_000
    sentences: int = 3
    depth: int = 60
    grown: float = 2.0


TRIED = (60, 100, 150, 200, 300, 400, 600, 800, 1_000)  # rows looked at, of which the fewest that suffice are chosen
TRIED_IN_BITS = (2_000, 4_000)  # in a binary index, whose scan goes on until so many are found
RECALLS = ("0.95", "0.99")


def fewest_rows(measured: Iterable[tuple[int, float]]) -> dict[str, tuple[int, float]]:
    """For each wanted recall the first measurement (rows looked at, recall) that reaches it, otherwise the last.

    Measurements are taken in ascending order, and none after the last that is needed.
    """
    found, last = dict[str, tuple[int, float]](), (0, 0.0)
    for last in measured:
        for wanted in RECALLS:
            if last[1] >= float(wanted):
                found.setdefault(wanted, last)
        if len(found) == len(RECALLS):
            break
    return {wanted: found.get(wanted, last) for wanted in RECALLS}


def looked_at(rows: int, rules: NearnessRules) -> int:
    """Rows an index scan looks at in a corpus of `rows`; never decreases as the corpus grows."""
    doublings = ceil(log2(max(rows, rules.enough) / rules.enough))
    return min(rules.most, rules.looked_at + rules.step * doublings)
