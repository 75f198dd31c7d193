import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.domain.metrics import Mean, Share, percentile


def test_none_of_many_still_leaves_room_for_some():
    low, high = Share(0, 60).interval
    assert low == 0
    assert 0.04 < high < 0.07


def test_a_known_interval_is_met():
    assert Share(8, 10).interval == pytest.approx((0.490, 0.943), abs=0.001)


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_share_lies_in_its_interval(hits, total):
    share = Share(min(hits, total), total)
    low, high = share.interval
    assert 0 <= low <= share.value <= high <= 1


def test_a_mean_of_ones_and_noughts_is_as_sure_as_their_share():
    assert Mean(8.0, 10).interval == Share(8, 10).interval
    assert Mean(0.0, 0).interval == (0, 1)


def test_percentiles_are_values_that_occurred():
    assert percentile([4, 1, 3, 2], 0.5) == 2
    assert percentile([4, 1, 3, 2], 0.95) == 4
    assert percentile([], 0.95) == 0
