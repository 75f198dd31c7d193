from datetime import UTC, date, datetime, timedelta

from audit.domain.deliveries import DeliveryRules, next_try, notice_text, unmuted
from audit.domain.guards import RaisedAlert

RULES = DeliveryRules()
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_a_receiver_that_fails_for_a_day_is_tried_ever_less_often_and_never_given_up():
    now, tries, waits = NOON, 1, []
    while now - NOON < timedelta(days=1):
        later = next_try(NOON, tries, now, RULES)
        waits.append(later - now)
        now, tries = later, tries + 1
    assert waits == sorted(waits)
    assert waits[0] == timedelta(minutes=5)
    assert waits[-1] == timedelta(hours=6)
    assert tries < 12, "no storm at the receiver"


def test_after_three_days_it_is_given_up():
    assert next_try(NOON, 20, NOON + timedelta(days=3), RULES) is None


def test_a_clock_that_was_set_back_changes_nothing():
    earlier = NOON - timedelta(hours=5)
    assert next_try(NOON, 1, earlier, RULES) == earlier + timedelta(minutes=5)


def test_many_alerts_are_one_notice_that_counts_the_rest():
    text = notice_text([f"Alert {n}." for n in range(40)], RULES)
    assert text.count("Alert") == RULES.at_once
    assert "… and 30 more." in text
    assert "more" not in notice_text(["One."], RULES)


def test_a_mute_covers_its_rule_of_its_metric_only():
    alerts = [RaisedAlert(rule, metric, date(2026, 1, 5), "") for rule in ("above", "rising") for metric in ("a", "b")]
    left = unmuted(alerts, [("above", "a")])
    assert [(alert.rule, alert.metric) for alert in left] == [("above", "b"), ("rising", "a"), ("rising", "b")]
