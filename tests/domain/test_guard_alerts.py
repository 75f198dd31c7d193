from datetime import UTC, date, datetime, timedelta

import pytest

from audit.domain.guards import GuardMeasure, GuardRules, by_week, guard_alerts, guard_kinds, mean_before, rising_weeks

RULES = GuardRules()
KINDS = {kind.name: kind for kind in guard_kinds(RULES)}
MONDAY = date(2026, 1, 5)
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def measures(*rates, every=timedelta(weeks=1), total=1000):
    return [GuardMeasure(NOON + n * every, rate * total, total) for n, rate in enumerate(rates)]


def rules_of(name, found, today):
    return [alert.rule for alert in guard_alerts(KINDS[name], found, today, RULES)]


@pytest.mark.parametrize(
    ("rates", "alerts"),
    [
        ((0.02, 0.03, 0.04, 0.05), ["rising"]),
        ((0.02, 0.03, 0.04), []),  # two rises
        ((0.02, 0.03, 0.03, 0.05), []),
        ((0.02, 0.03, 0.04, 0.07), ["above", "rising"]),
        ((0.07, 0.06, 0.05, 0.03), []),
    ],
)
def test_three_rises_in_a_row_and_a_spike_raise_an_alert(rates, alerts):
    after = MONDAY + timedelta(weeks=len(rates))
    assert rules_of("guard1_block_rate", measures(*rates), after) == alerts


def test_a_week_that_is_not_over_is_no_rise_and_a_week_without_measures_breaks_the_row():
    found = measures(0.02, 0.03, 0.04, 0.05)
    assert rules_of("guard1_block_rate", found, MONDAY + timedelta(weeks=3, days=2)) == []
    gap = [*found[:2], *(GuardMeasure(run.at + timedelta(weeks=1), run.hits, run.total) for run in found[2:])]
    assert rules_of("guard1_block_rate", gap, MONDAY + timedelta(weeks=5)) == []


def test_a_rate_over_few_items_is_not_judged():
    found = measures(0.0, 0.2, 0.4, 0.8, total=RULES.least - 1)
    assert rules_of("guard1_block_rate", found, MONDAY + timedelta(weeks=4)) == []


def test_an_old_trend_is_not_raised_anew():
    found = measures(0.02, 0.03, 0.04, 0.05)
    assert rules_of("guard1_block_rate", found, MONDAY + timedelta(weeks=6)) == []


@pytest.mark.parametrize(("last", "alerts"), [(0.0011, ["over_mean"]), (0.0010, []), (0.0, [])])
def test_a_scan_above_twice_the_mean_of_thirty_days_raises_an_alert(last, alerts):
    found = measures(0.0004, 0.0006, last, every=timedelta(days=1), total=10_000)
    assert rules_of("guard2_contradiction_count", found, MONDAY + timedelta(days=3)) == alerts


def test_the_mean_forgets_what_is_older_than_thirty_days():
    runs = [(NOON, 100.0), (NOON + timedelta(days=31), 2.0), (NOON + timedelta(days=32), 5.0)]
    assert mean_before(runs, RULES) == 2.0
    assert mean_before(runs[:1], RULES) is None
    assert mean_before([], RULES) is None


def test_the_partial_rate_has_its_own_bar():
    assert rules_of("guard1_partial_rate", measures(0.13), MONDAY + timedelta(days=1)) == ["above"]
    assert rules_of("guard1_partial_rate", measures(0.11), MONDAY + timedelta(days=1)) == []


def test_runs_of_a_week_are_counted_together():
    weeks = by_week(measures(0.1, 0.3, every=timedelta(days=6)) + measures(0.5, every=timedelta(days=1)))
    assert {monday: round(week.value(KINDS["article_flag_rate"]), 3) for monday, week in weeks.items()} == {MONDAY: 0.3}
    assert rising_weeks({}, RULES) == []
