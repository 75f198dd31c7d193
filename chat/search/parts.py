"""The parts of retrieval, each of which a search can leave out to measure its effect."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from chat.answering.domain.evidence.pool import LANES, POOLING, Pooling
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import QueryPlan


def _unchanged(rules: DiscardRules) -> DiscardRules:
    return rules


@dataclass(frozen=True, slots=True)
class SearchVariant:
    """A search with or without some part of retrieval.

    pooling: how hits become a pool. adjusted_rules: maps a mode's rules to those of this variant. reworded: search with
    all wordings, not only with the question itself.
    """

    pooling: Pooling = POOLING
    adjusted_rules: Callable[[DiscardRules], DiscardRules] = _unchanged
    reworded: bool = True

    def adjusted_plan(self, plan: QueryPlan) -> QueryPlan:
        return plan if self.reworded else replace(plan, wordings=plan.wordings[:1], alternatives={})


COMPLETE = SearchVariant()

WITHOUT_LANES = ("dense", "sentence", "lexical", "address", "neighbourhood")
# By part: the search without it.
WITHOUT: Mapping[str, SearchVariant] = MappingProxyType(
    {
        **{lane: SearchVariant(Pooling(lanes=LANES - {lane})) for lane in WITHOUT_LANES},
        "context": SearchVariant(Pooling(labels="ABC")),
        "calibration": SearchVariant(Pooling(mapped=False)),
        "rewordings": SearchVariant(reworded=False),
        "copies": SearchVariant(Pooling(once=False)),
        "fusion": SearchVariant(Pooling(worth=max)),
        "reader": SearchVariant(adjusted_rules=partial(replace, read=0)),
        "reserves": SearchVariant(
            adjusted_rules=partial(replace, verse_reserve=0, library_reserve=0, wanted_reserve=0)
        ),
        "bridges": SearchVariant(adjusted_rules=partial(replace, bridges=0)),
        # All evidence may then come from one lecture.
        "per_source": SearchVariant(adjusted_rules=lambda rules: replace(rules, per_source=rules.top_k)),
    }
)


def variant_without(part: str) -> SearchVariant:
    """The search without a part; complete for "". Raises ValueError, which lists the parts, for an unknown part."""
    if part and part not in WITHOUT:
        raise ValueError(f"{part!r} is not a part of retrieval. Choose from {', '.join(WITHOUT)}.")
    return WITHOUT.get(part, COMPLETE)
