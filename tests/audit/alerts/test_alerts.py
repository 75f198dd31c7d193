"""Alerts that arrive: sent again until they do, acknowledged, muted, and never a storm."""

from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from audit.alerts.services import alerts_raise, deliveries_send, rule_mute
from audit.guards import metric_record
from audit.models import AlertDelivery, AlertMute, GuardAlert
from tests.audit.weeks import MONDAY, NOON, TODAY

pytestmark = pytest.mark.django_db


class Receiver:
    """A webhook that answers what it is told to, and keeps what it got."""

    def __init__(self, monkeypatch, settings):
        self.status, self.got = 500, []
        settings.WEBHOOK_URL, settings.WEBHOOK_SECRET = "http://127.0.0.1:1/hook", "secret"
        monkeypatch.setattr("lectorium.notices.httpx2.post", self._post)

    def _post(self, url, *, content, headers, timeout):
        self.got.append((content, headers))
        return httpx2.Response(self.status)


@pytest.fixture
def receiver(monkeypatch, settings):
    return Receiver(monkeypatch, settings)


def person(name, *codenames):
    user = User.objects.create_user(name, email=f"{name}@site.test", is_staff=True)
    wanted = codenames or ("view_turnaudit", "add_alertmute")
    user.user_permissions.set(Permission.objects.filter(codename__in=wanted))
    return user


def an_alert(rule="above", metric="guard1_block_rate", **values):
    return GuardAlert.objects.create(rule=rule, metric=metric, period=MONDAY, text="It is <above>.", **values)


def test_a_webhook_that_answers_500_for_a_day_gets_the_alert_once_it_recovers(rising, receiver):
    alerts_raise(today=TODAY)
    now = begin = timezone.now()
    while now - begin < timedelta(days=1):
        deliveries_send(now=now)
        now += timedelta(minutes=5)
    assert len(receiver.got) < 12
    assert AlertDelivery.objects.get().state == "due"
    receiver.status = 200
    for _ in range(80):
        now += timedelta(minutes=5)
        deliveries_send(now=now)
    notice = AlertDelivery.objects.get()
    assert (notice.state, notice.fault) == ("done", "")
    assert len(receiver.got) == notice.tries, "it is not sent again after it arrived"
    body, headers = receiver.got[-1]
    assert b"3 rises in a row" in body
    assert headers["X-Lectorium-Signature"].startswith("sha256=")


def test_a_receiver_that_never_recovers_is_given_up_and_that_is_on_the_page(rising, receiver, client):
    alerts_raise(today=TODAY)
    deliveries_send(now=timezone.now() + timedelta(days=4))
    assert AlertDelivery.objects.get().state == "given_up"
    client.force_login(person("ann"))
    assert "Given up: the webhook answered 500" in client.get(reverse("audit_alerts")).content.decode()


def test_mail_goes_once_to_each_auditor(rising, settings):
    settings.MAIL_CONFIGURED = True
    person("ann"), person("ben")
    alerts_raise(today=TODAY)
    assert deliveries_send() == "1 of 1 notices delivered"
    assert deliveries_send() == "0 of 0 notices delivered"
    assert sorted(message.to[0] for message in mail.outbox) == ["ann@site.test", "ben@site.test"]


def test_only_the_addresses_that_failed_are_tried_again(rising, settings, monkeypatch):
    settings.MAIL_CONFIGURED = True
    person("ann"), person("ben")
    alerts_raise(today=TODAY)
    sent = []

    def refuse_ann(subject, text, sender, to):
        if to == ["ann@site.test"]:
            raise ConnectionRefusedError
        sent.extend(to)

    monkeypatch.setattr("audit.alerts.services.send_mail", refuse_ann)
    deliveries_send()
    notice = AlertDelivery.objects.get()
    assert (notice.to, sent, notice.state) == (["ann@site.test"], ["ben@site.test"], "due")


def test_all_alerts_of_a_night_are_one_notice(receiver, rising):
    for week in range(4):
        metric_record(metric="guard1_partial_rate", hits=200, total=1000, at=NOON + timedelta(weeks=week))
    told = alerts_raise(today=TODAY)
    assert len(told) == 2
    assert AlertDelivery.objects.get().alerts == 2


def test_a_muted_rule_is_kept_and_not_told_of_until_the_mute_ends(rising, receiver, client):
    ann = person("ann")
    an_alert(rule="rising")
    with pytest.raises(ValueError, match="why"):
        rule_mute(rule="rising", metric="guard1_block_rate", reason=" ", days=3, user_id=ann.pk)
    AlertMute.objects.create(rule="rising", metric="guard1_block_rate", reason="An import is running.", until=TODAY)
    assert alerts_raise(today=TODAY) == []
    assert GuardAlert.objects.filter(muted=True).count() == 1
    assert not AlertDelivery.objects.exists()
    assert alerts_raise(today=TODAY + timedelta(days=1)) == [], "it is not raised anew when the mute is over"


def test_an_alert_is_acknowledged_once_and_stays_in_the_history(client):
    alert = an_alert()
    client.force_login(person("ann"))
    page = client.get(reverse("audit_alerts")).content.decode()
    assert "It is &lt;above&gt;." in page
    client.post(reverse("audit_alert", args=[alert.pk]), {"note": "A bad import.", "days": ""})
    alert.refresh_from_db()
    assert (str(alert.acknowledged_by), alert.note) == ("ann", "A bad import.")
    page = client.post(reverse("audit_alert", args=[alert.pk]), {"note": "Me too."}, follow=True).content.decode()
    assert "Somebody has acknowledged this alert already." in page
    assert "No open alert." in page
    assert "A bad import." in page


def test_muting_needs_a_reason_and_an_end_and_can_be_ended(client):
    alert = an_alert()
    client.force_login(person("ann"))
    url = reverse("audit_alert", args=[alert.pk])
    for form in ({"note": "", "days": "3"}, {"note": "Why.", "days": "900"}, {"note": "Why.", "days": "x"}):
        assert 'role="alert"' in client.post(url, form, follow=True).content.decode()
    assert not AlertMute.objects.exists()
    client.post(url, {"note": "An import is running.", "days": "3"})
    mute = AlertMute.objects.get()
    assert mute.until == datetime.now(UTC).date() + timedelta(days=2)
    client.post(reverse("audit_unmute", args=[mute.pk]))
    assert not AlertMute.objects.exists()


def test_who_may_only_read_can_neither_acknowledge_nor_mute(client):
    alert = an_alert()
    client.force_login(person("watcher", "view_turnaudit"))
    assert "Acknowledge" not in client.get(reverse("audit_alerts")).content.decode()
    assert client.post(reverse("audit_alert", args=[alert.pk]), {"days": "3", "note": "x"}).status_code == 403
    mute = AlertMute.objects.create(rule="above", metric="x", reason="x", until=TODAY)
    assert client.post(reverse("audit_unmute", args=[mute.pk])).status_code == 403
