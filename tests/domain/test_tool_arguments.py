import json

from hypothesis import given
from hypothesis import strategies as st

from chat.mcp.domain.arguments import ArgumentLimits, argument_fault, recorded, storable

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)
LIMITS = ArgumentLimits()


def test_readable_arguments_have_no_fault():
    assert argument_fault({"question": "Who?", "references": ["BG 2.13"], "limit": 3, "scope": None}) == ""


def test_what_no_tool_can_read_is_named():
    assert argument_fault({"body": "x" * 20_001}) == "“body” has 20,001 characters; at most 20,000 are read."
    assert "“triggers” has a NUL" in argument_fault({"triggers": ["fine", "\0"]})
    assert "surrogate" in argument_fault({"x": {"deep": [{"\ud800": 1}]}})


def test_private_texts_are_counted_and_others_cut():
    kept = recorded({"question": "Why me?", "body": "x" * 500, "n": 3}, frozenset({"question"}))
    assert kept == {"question": "7 characters", "body": "x" * 199 + "…", "n": 3}
    assert recorded({"question": ["Why me?"]}, frozenset({"question"})) == {"question": "not a text"}


def test_a_call_of_too_many_arguments_is_recorded_by_its_size():
    assert "left out" in recorded({str(n): "x" * 300 for n in range(30)})


@given(st.dictionaries(st.text(), VALUES))
def test_whatever_comes_is_recorded_bounded_and_storable(arguments):
    text = json.dumps(recorded(arguments), ensure_ascii=False, allow_nan=False)
    assert len(text) <= LIMITS.recorded_in_all
    assert "\0" not in text
    assert "\\u0000" not in text
    text.encode()


@given(st.text(), st.integers(1, 50))
def test_a_storable_text_is_never_longer_than_allowed(text, most):
    assert len(storable(text, most)) <= most
