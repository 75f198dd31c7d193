"""The parts of retrieval, and how to look without one of them: what is each worth?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from chat.answering.domain.evidence.pool import LANES, POOLING, Pooling
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import QueryPlan


def _as_they_are(rules: DiscardRules) -> DiscardRules:
    return rules


@dataclass(frozen=True, slots=True)
class SearchVariant:
    """One way to look: how hits become a pool, what is kept of it, and whether in more words than the question's.

    ruled: gives a mode's rules as this way follows them.
    """

    pooling: Pooling = POOLING
    ruled: Callable[[DiscardRules], DiscardRules] = _as_they_are
    reworded: bool = True

    def planned(self, plan: QueryPlan) -> QueryPlan:
        """Return the plan as this way follows it."""
        return plan if self.reworded else replace(plan, wordings=plan.wordings[:1], alternatives={})


WHOLE = SearchVariant()

WITHOUT_LANES = ("dense", "sentence", "lexical", "address", "neighbourhood")
# Each a part by name, with the way that does without it.
WITHOUT: Mapping[str, SearchVariant] = MappingProxyType(
    {
        **{lane: SearchVariant(Pooling(lanes=LANES - {lane})) for lane in WITHOUT_LANES},
        "context": SearchVariant(Pooling(labels="ABC")),
        "calibration": SearchVariant(Pooling(mapped=False)),
        "rewordings": SearchVariant(reworded=False),
        "fusion": SearchVariant(Pooling(worth=max)),
        "reader": SearchVariant(ruled=partial(replace, read=0)),
        "reserves": SearchVariant(ruled=partial(replace, verse_reserve=0, library_reserve=0, wanted_reserve=0)),
        "parts": SearchVariant(ruled=partial(replace, parts=0)),
        "bridges": SearchVariant(ruled=partial(replace, bridges=0)),
        # All that is kept may then come from one lecture.
        "per_source": SearchVariant(ruled=lambda rules: replace(rules, per_source=rules.top_k)),
    }
)


def variant_without(part: str) -> SearchVariant:
    """Return the way that does without a part; the whole way for "". Raises ValueError naming the parts there are."""
    if part and part not in WITHOUT:
        raise ValueError(f"{part!r} is no part of retrieval; there are: {', '.join(WITHOUT)}.")
    return WITHOUT.get(part, WHOLE)
