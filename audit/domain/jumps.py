"""When a share of one day is far above that of the days before."""

from collections.abc import Sequence
from dataclasses import dataclass

from audit.domain.metrics import Share


@dataclass(frozen=True, slots=True)
class JumpRules:
    """Evidence: docs/thresholds.md.

    factor: the day's whole interval must be above this many times the share before. days, least_days: how many days
    before are pooled, and how many of them must have turns. least: turns of a day that is judged. floor: a lower share
    before counts as this, so that one failure after none is no alert.
    """

    factor: float = 2.0
    days: int = 28
    least_days: int = 7
    least: int = 30
    floor: float = 0.005


def is_jump(day: Share, before: Sequence[Share], rules: JumpRules) -> bool:
    counted = [share for share in before if share.total]
    if day.total < rules.least or len(counted) < rules.least_days:
        return False
    usual = pooled(counted)
    return day.interval[0] > rules.factor * max(usual.value, rules.floor)


def pooled(shares: Sequence[Share]) -> Share:
    return Share(sum(share.hits for share in shares), sum(share.total for share in shares))
