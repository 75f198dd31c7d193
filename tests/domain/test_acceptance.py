import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.acceptance import CuratedRules, PinDecision, decide_pin, on_reference_scale, replaces_sweep

RULES = CuratedRules()
POINTS = ((0.2, 0.0), (0.5, 0.6), (0.8, 1.0))


@pytest.mark.parametrize(
    ("similarity", "decision"),
    [(0.85, "accept"), (0.99, "accept"), (0.849, "ask_judge"), (0.70, "ask_judge"), (0.699, "reject"), (0.0, "reject")],
)
def test_a_pin_is_accepted_put_to_the_judge_or_rejected(similarity, decision):
    assert decide_pin(similarity, same_language=True, rules=RULES) == decision


@given(st.floats(0, 1))
def test_a_pin_in_another_language_is_never_accepted(similarity):
    assert decide_pin(similarity, same_language=False, rules=RULES) is PinDecision.REJECT


@pytest.mark.parametrize(("similarity", "resolved", "strong"), [(0.7, 3, True), (0.7, 2, False), (0.69, 9, False)])
def test_a_note_is_strong_by_likeness_and_by_what_it_gives(similarity, resolved, strong):
    assert replaces_sweep("note", similarity, resolved, RULES) is strong


@given(st.floats(0, 1), st.integers(0, 9))
def test_a_pin_replaces_the_sweep_where_it_gives_anything(similarity, resolved):
    assert replaces_sweep("pin", similarity, resolved, RULES) is (resolved > 0)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_scale_never_falls_and_stays_within_its_points(a, b):
    low, high = sorted((a, b))
    assert 0 <= on_reference_scale(low, POINTS) <= on_reference_scale(high, POINTS) + 1e-12 <= 1 + 1e-9


def test_the_scale_goes_through_its_points():
    assert [on_reference_scale(x, POINTS) for x, _ in POINTS] == pytest.approx([y for _, y in POINTS])


def test_a_space_without_a_scale_says_what_to_do():
    with pytest.raises(ValueError, match=r"run manage\.py calibrate"):
        on_reference_scale(0.5, ())
