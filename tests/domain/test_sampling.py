from collections import Counter

from audit.domain.sampling import SampledTurn, Stratum, allocate, draw_sample

COMMON, RARE, RARER = (Stratum("none", mode, "grounded", "en") for mode in ("instant", "auto", "thinking"))


def turns(**numbers):
    strata = {"common": COMMON, "rare": RARE, "rarer": RARER}
    return [SampledTurn(f"{name}{n}", strata[name]) for name, number in numbers.items() for n in range(number)]


def test_every_stratum_is_drawn_from_and_the_rest_is_in_proportion():
    drawn = draw_sample(turns(common=900, rare=98, rarer=2), 20, "a seed")
    counts = Counter(turn.stratum for turn in drawn)
    assert len(drawn) == 20
    assert counts[RARER] == 1
    assert counts[RARE] in (2, 3)
    assert counts[COMMON] in (16, 17)


def test_the_same_seed_draws_the_same_turns_in_any_order_and_another_seed_others():
    every = turns(common=100, rare=30)
    first = draw_sample(every, 12, "monday")
    assert draw_sample(reversed(every), 12, "monday") == first
    assert draw_sample(every, 12, "tuesday") != first


def test_no_stratum_gives_more_than_it_has():
    assert allocate({COMMON: 3, RARE: 1}, 9) == {COMMON: 3, RARE: 1}
    shares = allocate({COMMON: 5, RARE: 5, RARER: 1}, 10)
    assert (sum(shares.values()), shares[RARER], max(shares.values())) == (10, 1, 5)
    assert draw_sample([], 5, "x") == []


def test_a_sample_smaller_than_the_number_of_strata_takes_the_largest():
    assert allocate({COMMON: 9, RARE: 5, RARER: 1}, 2) == {COMMON: 1, RARE: 1}
    assert allocate({COMMON: 9, RARE: 5}, 0) == {}
