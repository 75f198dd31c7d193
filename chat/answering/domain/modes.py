"""What each mode searches and reads, and which mode it falls back to. Evidence: docs/thresholds.md."""

from collections.abc import Mapping

from chat.answering.domain.evidence.pool import PoolLimits
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import Mode, Route

LIMITS = {Mode.INSTANT: PoolLimits(cap=32), Mode.AUTO: PoolLimits(cap=60), Mode.THINKING: PoolLimits(cap=150)}
RULES = {
    Mode.INSTANT: DiscardRules(read=8, by_sentence=8, bridges=0, judged_most=8),
    Mode.AUTO: DiscardRules(),
    Mode.THINKING: DiscardRules(top_k=20, read=60, by_sentence=20, judged=32, judged_most=32),
}
SECOND_LOOKS = {Mode.INSTANT: 0, Mode.AUTO: 1, Mode.THINKING: 3}
IN_STEPS_ONLY = frozenset({Mode.AUTO})  # modes that look again only for questions in several parts
# The degrade chain: if a mode cannot answer, the next one does.
DEGRADE: Mapping[Mode, tuple[Mode, ...]] = {
    Mode.THINKING: (Mode.THINKING, Mode.AUTO, Mode.INSTANT),
    Mode.AUTO: (Mode.AUTO, Mode.INSTANT),
    Mode.INSTANT: (Mode.INSTANT,),
}


def second_looks(mode: Mode, route: Route) -> int:
    """How often the search may be repeated in other words, while what it finds is near but thin."""
    return 0 if mode in IN_STEPS_ONLY and route is not Route.MULTI_HOP else SECOND_LOOKS[mode]
