import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.acceptance import CuratedRules, on_reference_scale, replaces_sweep

RULES = CuratedRules()
POINTS = ((0.2, 0.0), (0.5, 0.6), (0.8, 1.0))


@pytest.mark.parametrize(("strong", "resolved", "replaces"), [(True, 3, True), (True, 2, False), (False, 9, False)])
def test_a_note_replaces_the_sweep_by_likeness_and_by_what_it_gives(strong, resolved, replaces):
    assert replaces_sweep("note", strong, resolved, RULES) is replaces


@given(st.booleans(), st.integers(0, 9))
def test_a_pin_replaces_the_sweep_where_it_gives_anything(strong, resolved):
    assert replaces_sweep("pin", strong, resolved, RULES) is (resolved > 0)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_scale_never_falls_and_stays_within_its_points(a, b):
    low, high = sorted((a, b))
    assert 0 <= on_reference_scale(low, POINTS) <= on_reference_scale(high, POINTS) + 1e-12 <= 1 + 1e-9


def test_the_scale_goes_through_its_points():
    assert [on_reference_scale(x, POINTS) for x, _ in POINTS] == pytest.approx([y for _, y in POINTS])


def test_a_space_without_a_scale_says_what_to_do():
    with pytest.raises(ValueError, match=r"run manage\.py calibrate"):
        on_reference_scale(0.5, ())
