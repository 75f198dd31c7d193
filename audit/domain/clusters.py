"""When two questions that were not answered belong to one gap."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClusterRules:
    """Cosines of questions. Evidence: docs/thresholds.md.

    join: a question joins the nearest cluster from here on. merge: two clusters are near-identical and become one.
    """

    join: float = 0.65
    merge: float = 0.85


def joins(distance: float, rules: ClusterRules) -> bool:
    """distance: cosine distance (0..2) of a question from the centre of the nearest cluster."""
    return 1 - distance >= rules.join


def merges(distance: float, rules: ClusterRules) -> bool:
    """distance: cosine distance of the centres of two clusters."""
    return 1 - distance >= rules.merge
