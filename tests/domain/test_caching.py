"""Which answers may be given again, and that two that may differ never share a key."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.caching import CacheRules, cache_key, is_cacheable
from chat.answering.domain.question import Mode

GOOD = {"outcome": "grounded", "complete": True, "confidence": 0.3, "warnings": []}
ASKED = {"locale": "en", "mode": Mode.AUTO, "collections": (UUID(int=1), UUID(int=2)), "versions": {"corpus": "a"}}


def warned(kind):
    return {**GOOD, "warnings": [{"type": kind}]}


@pytest.mark.parametrize("response", [GOOD, {**GOOD, "outcome": "partially_grounded"}, warned("CONFLICTING_SOURCES")])
def test_a_complete_and_sure_answer_is_cacheable(response):
    assert is_cacheable(response, CacheRules())


@pytest.mark.parametrize(
    "response",
    [
        {**GOOD, "confidence": 0.29},
        {**GOOD, "complete": False},
        *(
            {**GOOD, "outcome": outcome}
            for outcome in (
                "closest_passage",
                "refused",
                "out_of_corpus",
                "no_retrieval",
                "asked_back",
                "interrupted",
                "failed",
            )
        ),
        *(warned(kind) for kind in ("UNVERIFIED_TERMS", "STALE_INDEX", "DEGRADED")),
    ],
)
def test_nothing_else_may(response):
    assert not is_cacheable(response, CacheRules())


def test_each_mode_has_its_time():
    assert [CacheRules().seconds(mode) for mode in Mode] == [120, 300, 900]


@pytest.mark.parametrize("again", ["who is KRISHNA?", "  Who is\nKrishna ?", "who is krishna"])
def test_case_spacing_and_the_mark_at_the_end_make_no_other_question(again):
    assert cache_key(again, **ASKED) == cache_key("Who is Krishna?", **ASKED)


def test_the_order_of_collections_makes_no_other_scope():
    assert cache_key("x", **ASKED | {"collections": (UUID(int=2), UUID(int=1))}) == cache_key("x", **ASKED)


def test_readers_who_see_other_collections_outside_the_scope_share_no_answer():
    keys = {cache_key("x", **ASKED, elsewhere=ids) for ids in ((), (UUID(int=3),), (UUID(int=4),))}
    assert len(keys) == 3


@pytest.mark.parametrize(
    ("one", "other"), [("BG 2.13-15", "BG 2.13, 15"), ("BG 2.13", "BG 21.3"), ("Kṛṣṇa", "Krsna"), ("a b", "ab")]
)
def test_what_may_mean_another_thing_is_another_question(one, other):
    assert cache_key(one, **ASKED) != cache_key(other, **ASKED)


texts = st.text(max_size=8)
keyed = st.fixed_dictionaries(
    {
        "locale": texts,
        "language": texts,
        "mode": st.sampled_from(list(Mode)),
        "collections": st.frozensets(st.uuids(), max_size=3),
        "elsewhere": st.frozensets(st.uuids(), max_size=3),
        "versions": st.dictionaries(texts, texts, max_size=3),
    }
)


@given(texts, keyed, keyed)
def test_whoever_differs_in_scope_locale_mode_or_version_gets_another_key(text, one, other):
    assert (cache_key(text, **one) == cache_key(text, **other)) == (one == other)
