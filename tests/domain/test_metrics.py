import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.domain.metrics import Auroc, Mean, Share, percent, percentile


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


def test_a_share_is_told_in_percent_with_its_interval():
    assert percent(Share(3, 200)) == "3/200 = 1.5 % [0.5, 4.3]"


@pytest.mark.parametrize(
    ("true", "false", "value"),
    [([3, 2], [1, 0], 1.0), ([0], [1], 0.0), ([1, 1], [1], 0.5), ([2, 0], [1], 0.5), ([], [1], 0.5)],
)
def test_auroc_counts_the_pairs_that_are_in_order_and_ties_half(true, false, value):
    assert Auroc.of(true, false).value == value


SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


@given(SCORES, SCORES)
def test_auroc_turned_round_is_its_rest_and_lies_in_its_interval(true, false):
    found = Auroc.of(true, false)
    assert found.value + Auroc.of(false, true).value == pytest.approx(1)
    low, high = found.interval
    assert 0 <= low <= found.value <= high <= 1


def test_nothing_on_one_side_leaves_everything_open():
    assert Auroc.of([1.0], []).interval == (0.0, 1.0)
