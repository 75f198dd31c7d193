import pytest

from audit.domain.agreement import Kappa


def test_kappa_is_that_of_cohens_definition():
    # 20 both yes, 5 and 10 apart, 15 both no: observed 0.70, by chance 0.50.
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    kappa = Kappa.of(pairs)
    assert kappa.value == pytest.approx(0.4)
    assert kappa.observed.value == pytest.approx(0.7)
    low, high = kappa.interval
    assert (low, high) == (pytest.approx(0.146, abs=0.001), pytest.approx(0.654, abs=0.001))


def test_full_agreement_is_one_and_full_disagreement_is_negative():
    assert Kappa.of([("a", "a"), ("b", "b")]).value == 1
    assert Kappa.of([("a", "b"), ("b", "a")]).value == -1


def test_without_a_second_kind_of_decision_nothing_can_be_said():
    assert Kappa.of([("agree", "agree")] * 9).value is None
    assert Kappa.of([]).value is None
