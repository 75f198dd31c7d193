"""A model's plan is read strictly, and may word the question otherwise but not ask another."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.query.drafted_plan import LONGEST, MOST, PlanFault, keeps_the_question, parse_plan


def test_surplus_and_foreign_things_are_left_out():
    plan = parse_plan(
        json.dumps({"standalone": " What  is it? ", "rephrasings": [*"abcdef", 7, ""], "kinds": ["verse", "song"]})
    )
    assert (plan.standalone, plan.rephrasings, plan.parts, plan.kinds) == (
        "What is it?",
        ("a", "b", "c"),
        (),
        frozenset({"verse"}),
    )


@pytest.mark.parametrize("text", ["Sure! Here is the plan.", "[]", "{}", '{"standalone": 3}', "[" * 100_000])
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(PlanFault):
        parse_plan(text)


def test_a_rewritten_question_keeps_its_topic():
    assert keeps_the_question(("refus", "bow"), ("ibli", "refus", "bow"))
    assert not keeps_the_question(("refus", "bow"), ("ibli", "fall"))
    assert not keeps_the_question((), ())


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_any_json_is_read_or_refused(value):
    try:
        plan = parse_plan(json.dumps({"standalone": "x", "rephrasings": value, "parts": value, "kinds": value}))
    except PlanFault:
        return
    assert len(plan.rephrasings) <= MOST
    assert all(0 < len(text) <= LONGEST for text in (*plan.rephrasings, *plan.parts))
