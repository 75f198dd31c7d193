import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.domain.ranking import (  # fmt: skip
    BootstrapMean,
    ScoredQuestion,
    area_under_risk,
    average_precision,
    bar_reaching,
    found,
    reciprocal_rank,
    risk_at,
    risk_coverage,
    separation,
    trade_off,
)

ADDRESSES = st.sampled_from("abcdefgh")
ORDERS = st.lists(ADDRESSES, unique=True).map(lambda names: [frozenset(name) for name in names])
GOLDS = st.lists(ADDRESSES, unique=True, min_size=1, max_size=3).map(lambda names: [frozenset(n) for n in names])
JUDGED = st.lists(st.builds(ScoredQuestion, st.floats(0, 1), st.booleans()), max_size=30)


def order(names):
    return [frozenset(name) for name in names]


def test_what_stands_late_is_found_only_by_a_longer_look():
    assert found(order("xyab"), order("ab"), 3) == [True, False]
    assert found(order("xyab"), order("ab"), 4) == [True, True]


def test_any_address_of_a_gold_passage_finds_it():
    assert found(order("xb"), [frozenset("ab"), frozenset("c")], 2) == [True, False]


def test_ranks_are_rewarded_as_they_are_defined():
    assert reciprocal_rank(order("xya"), order("ab")) == pytest.approx(1 / 3)
    assert average_precision(order("axb"), order("ab")) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(order("xyz"), order("ab")) == reciprocal_rank(order("xyz"), order("ab")) == 0.0


def test_one_passage_with_both_addresses_counts_for_both():
    assert average_precision([frozenset("ab")], order("ab")) == 1.0


@given(ORDERS, GOLDS)
def test_a_longer_look_never_finds_less_and_precision_stays_a_share(ranked, gold):
    counts = [sum(found(ranked, gold, first)) for first in range(len(ranked) + 1)]
    assert counts == sorted(counts)
    assert 0.0 <= average_precision(ranked, gold) <= 1.0
    assert (reciprocal_rank(ranked, gold) > 0) is bool(counts[-1])


@given(ADDRESSES, ORDERS)
def test_for_one_gold_passage_average_precision_is_the_reciprocal_rank(name, ranked):
    gold = [frozenset(name)]
    assert average_precision(ranked, gold) == pytest.approx(reciprocal_rank(ranked, gold))


@given(ORDERS, GOLDS)
def test_all_gold_first_is_perfect(ranked, gold):
    first = [*gold, *(address for address in ranked if address not in gold)]
    assert average_precision(first, gold) == 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_a_mean_lies_in_its_interval_and_is_the_same_every_time(values):
    mean = BootstrapMean.of(values)
    assert mean == BootstrapMean.of(values)
    assert min(values) - 1e-9 <= mean.low <= mean.high <= max(values) + 1e-9
    assert mean.total == len(values)


def test_a_mean_of_many_is_surer_than_of_few():
    chance = random.Random(1)
    few, many = (BootstrapMean.of(chance.random() for _ in range(count)) for count in (10, 1000))
    assert many.high - many.low < few.high - few.low
    assert few.low < 0.5 < few.high
    assert (BootstrapMean.of([]).low, BootstrapMean.of([]).high) == (0.0, 1.0)


def test_risk_rises_where_the_surer_are_right():
    judged = [
        ScoredQuestion(0.9, True),
        ScoredQuestion(0.8, True),
        ScoredQuestion(0.4, False),
        ScoredQuestion(0.2, False),
    ]
    assert risk_coverage(judged) == [(0.25, 0.0), (0.5, 0.0), (0.75, pytest.approx(1 / 3)), (1.0, 0.5)]
    assert (risk_at(judged, 0.5), risk_at(judged, 0.6)) == (0.0, pytest.approx(1 / 3))
    assert area_under_risk(judged) == pytest.approx((1 / 3 + 1 / 2) / 4)
    assert separation(judged) == 1.0


def test_equal_scores_cannot_be_answered_one_without_the_other():
    assert risk_coverage([ScoredQuestion(0.5, True), ScoredQuestion(0.5, False)]) == [(1.0, 0.5)]
    assert separation([ScoredQuestion(0.5, True), ScoredQuestion(0.5, False)]) == 0.5


def test_the_trade_off_goes_from_nothing_answered_to_everything():
    judged = [
        ScoredQuestion(0.9, True),
        ScoredQuestion(0.8, False),
        ScoredQuestion(0.7, True),
        ScoredQuestion(0.7, False),
    ]
    assert trade_off(judged) == [(0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (1.0, 1.0)]


@given(JUDGED)
def test_the_curve_ends_with_everything_answered_whatever_the_order(judged):
    curve = risk_coverage(judged)
    assert curve == risk_coverage(reversed(judged))
    if judged:
        assert curve[-1] == (1.0, sum(not question.answerable for question in judged) / len(judged))
    assert 0.0 <= area_under_risk(judged) <= 1.0
    assert separation(judged) == pytest.approx(1 - separation([ScoredQuestion(-o.score, o.answerable) for o in judged]))


def test_the_bar_that_reaches_a_coverage_is_the_highest_that_does():
    judged = [ScoredQuestion(score, True) for score in (0.9, 0.7, 0.5, 0.3)] + [ScoredQuestion(0.8, False)]
    assert bar_reaching(judged, 0.5) == 0.7
    assert bar_reaching(judged, 0.51) == 0.5
    assert bar_reaching(judged, 1.0) == 0.3
    assert bar_reaching([ScoredQuestion(0.8, False)], 0.5) == math.inf
