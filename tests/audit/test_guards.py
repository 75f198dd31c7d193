"""The guards' metrics: recorded by run, tabled by week, and alerts that are sent once."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from audit.alerts.services import alerts_raise
from audit.domain.tallies import Span
from audit.guards import guard_tables, metric_record
from audit.models import AlertDelivery, GuardAlert, GuardMetric
from tests.audit.weeks import MONDAY, TODAY
from tests.curation.people import someone

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_alert_is_raised_once_and_told_of_by_mail_and_by_webhook(rising, settings):
    settings.MAIL_CONFIGURED, settings.WEBHOOK_URL = True, "http://127.0.0.1:1/hook"
    auditor = someone("auditor")
    User.objects.filter(pk=auditor.pk).update(email="auditor@site.test")
    assert [alert.rule for alert in alerts_raise(today=TODAY)] == ["rising"]
    assert alerts_raise(today=TODAY) == []
    assert alerts_raise(today=TODAY + timedelta(days=1)) == []
    mail, hook = AlertDelivery.objects.order_by("channel")
    assert "3 rises in a row (2.0 %, 3.0 %, 4.0 %, 5.0 %)" in mail.text
    assert (mail.to, hook.channel) == (["auditor@site.test"], "webhook")
    assert GuardAlert.objects.get().period == MONDAY + timedelta(weeks=3)


def test_without_mail_and_webhook_an_alert_is_kept_and_nothing_is_queued(rising):
    assert len(alerts_raise(today=TODAY)) == 1
    assert not AlertDelivery.objects.exists()


def test_weeks_have_their_band_and_runs_their_time(rising):
    weekly, runs = guard_tables(Span(MONDAY, TODAY))
    assert [row[1].text for row in weekly.rows] == ["26 Jan", "19 Jan", "12 Jan", "5 Jan"]
    assert [row[-1].text for row in weekly.rows] == [
        "outside (2.0 % to 4.0 %)", *["healthy (2.0 % to 4.0 %)"] * 3,
    ]  # fmt: skip
    assert len(runs.rows) == 4


def test_the_report_has_both_tables_and_the_alerts():
    now = datetime.now(UTC)
    metric_record(metric="article_flag_rate", hits=3, total=40, at=now)
    GuardAlert.objects.create(rule="rising", metric="article_flag_rate", period=now.date(), text="It rose & rose.")
    client = Client()
    client.force_login(someone("auditor"))
    text = client.get("/audit/").content.decode()
    assert "Guards on what is stored, by week" in text
    assert "7.5 %" in text
    assert "It rose &amp; rose." in text
    assert client.get("/audit/guards.csv").status_code == 200
    assert client.get("/audit/guard-runs.csv").status_code == 200


def test_an_unknown_metric_is_refused_and_an_empty_run_is_left_out():
    with pytest.raises(ValueError, match="is not one of guard1_block_rate"):
        metric_record(metric="guard9", hits=1, total=1)
    metric_record(metric="guard1_block_rate", hits=0, total=0)
    assert not GuardMetric.objects.exists()
