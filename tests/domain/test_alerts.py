from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.domain.alerts import FigureHealth, ReportRules, health_of, low_weeks
from audit.domain.metrics import Mean

RULES = ReportRules()
MONDAY = date(2026, 1, 5)


def weeks(*means):
    """Return weeks in a row of (mean, answers)."""
    return [(MONDAY + timedelta(weeks=n), Mean(mean * of, of)) for n, (mean, of) in enumerate(means)]


@pytest.mark.parametrize(
    ("mean", "of", "stands"),
    [
        (0.9, 30, FigureHealth.HEALTHY),
        (0.82, 30, FigureHealth.BETWEEN),
        (0.79, 30, FigureHealth.LOW),
        (0.1, 29, FigureHealth.TOO_FEW),
        (1.0, 0, FigureHealth.TOO_FEW),
    ],
)
def test_a_mean_is_judged_from_thirty_answers_on(mean, of, stands):
    assert health_of(Mean(mean * of, of), RULES) is stands


@pytest.mark.parametrize(
    ("means", "alerts"),
    [
        ([(0.7, 40), (0.7, 40)], True),
        ([(0.9, 40), (0.7, 40)], False),
        ([(0.7, 40), (0.9, 40)], False),
        ([(0.7, 40), (0.7, 40), (0.9, 40)], False),
        ([(0.9, 40), (0.7, 40), (0.7, 40)], True),
        ([(0.7, 40), (0.7, 40), (0.2, 3)], True),  # the week that has just begun
        ([(0.7, 40), (0.7, 40), (0.2, 3), (0.2, 3)], False),
        ([(0.7, 40), (0.2, 3), (0.7, 40)], False),
        ([(0.7, 29), (0.7, 29)], False),
        ([(0.7, 40)], False),
        ([], False),
    ],
)
def test_two_low_weeks_running_are_an_alert(means, alerts):
    assert bool(low_weeks(weeks(*means), RULES)) is alerts


def test_an_alert_names_the_weeks_that_raise_it():
    listed = weeks((0.9, 40), (0.7, 40), (0.6, 50), (0.2, 3))
    assert low_weeks(listed, RULES) == listed[1:3]


def test_weeks_that_do_not_follow_one_another_are_not_running():
    first, second = weeks((0.7, 40), (0.7, 40))
    assert not low_weeks([first, (second[0] + timedelta(weeks=1), second[1])], RULES)


@given(st.lists(st.tuples(st.floats(0.8, 1.0, exclude_min=True), st.integers(0, 99)), max_size=6))
def test_no_weeks_above_the_bar_are_an_alert(means):
    assert not low_weeks(weeks(*[(min(1.0, mean + 1e-6), of) for mean, of in means]), RULES)
