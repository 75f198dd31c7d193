from dataclasses import replace
from uuid import UUID

import pytest

from chat.answering.domain.evidence.pool import LANES, Hit, PoolLimits, fuse
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import QueryPlan, Route, Wording
from chat.search.parts import COMPLETE, WITHOUT, variant_without

ONE, TWO = UUID(int=1), UUID(int=2)


def test_every_part_is_left_out_by_a_way_of_its_own():
    ways = list(WITHOUT.values())
    assert all(way != COMPLETE for way in ways)
    assert len({repr(way) for way in ways}) == len(ways)


def test_a_way_without_a_lane_keeps_the_others():
    assert variant_without("dense").pooling.lanes == LANES - {"dense"}
    assert variant_without("").pooling.lanes == LANES


def test_without_fusion_the_best_single_rank_decides():
    hits = [Hit(ONE, "dense", 1, 0.9), Hit(TWO, "dense", 2, 0.8), Hit(TWO, "lexical", 2, 0.5)]
    assert [found.chunk_id for found in fuse(hits, PoolLimits())[0]] == [TWO, ONE]
    assert [found.chunk_id for found in fuse(hits, PoolLimits(), variant_without("fusion").pooling)[0]] == [ONE, TWO]


def test_without_rewordings_only_the_questions_own_words_are_left():
    wordings = (Wording("the self", "standalone"), Wording("atman", "glossary"))
    plan = QueryPlan(Route.SINGLE_HOP, "the self", wordings=wordings, alternatives={"self": (("atman",),)})
    left = variant_without("rewordings").adjusted_plan(plan)
    assert [wording.text for wording in left.wordings] == ["the self"]
    assert not left.alternatives
    assert COMPLETE.adjusted_plan(plan) is plan


def test_a_part_that_is_none_is_named_with_those_that_are():
    with pytest.raises(ValueError, match=r"'luck'.*dense.*per_source"):
        variant_without("luck")


def test_without_a_part_the_other_rules_of_a_mode_stand():
    rules = DiscardRules(top_k=20, read=60)
    assert variant_without("").adjusted_rules(rules) == rules
    assert variant_without("reader").adjusted_rules(rules) == replace(rules, read=0)
    assert variant_without("per_source").adjusted_rules(rules) == replace(rules, per_source=20)
    assert variant_without("reserves").adjusted_rules(rules).top_k == 20
