"""Raises alerts once, sends all of a night in one notice over each channel, and tries again until it arrives."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import send_mail
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from audit.domain.deliveries import DeliveryRules, next_try, notice_text, unmuted
from audit.domain.guards import RaisedAlert
from audit.guards import alerts_now
from audit.models import AlertDelivery, AlertMute, GuardAlert
from lectorium.notices import WebhookRefused, addresses_with, webhook_deliver

AUDITORS = "audit.view_turnaudit"
RULES = DeliveryRules()
CHANNELS, States = AlertDelivery.Channel, AlertDelivery.State
LONGEST_MUTE_DAYS = 92
SUBJECT = "Lectorium: an audit alert"


class BadMute(ValueError):
    """The mute cannot be stored; the message says why."""


@transaction.atomic
def alerts_raise(*, today: date | None = None) -> list[RaisedAlert]:
    """Store the alerts of this day that were not raised before, and start telling of them; return those told of.

    A muted one is stored as muted. Safe to run twice.
    """
    today = today or datetime.now(UTC).date()
    muted = list(AlertMute.objects.filter(until__gte=today).values_list("rule", "metric"))
    new = []
    for alert in alerts_now(today):
        row = {"rule": alert.rule, "metric": alert.metric, "period": alert.period}
        silent = (alert.rule, alert.metric) in muted
        __, is_new = GuardAlert.objects.get_or_create(**row, defaults={"text": alert.text, "muted": silent})
        new += [alert] if is_new else []
    told = unmuted(new, muted)
    if told:
        _start_telling([alert.text for alert in told])
    return told


def deliveries_send(*, now: datetime | None = None) -> str:
    """Send every notice that is due; a line for the job's record. What fails is tried again later."""
    now = now or timezone.now()
    waiting = AlertDelivery.objects.filter(state=States.DUE, due_at__lte=now).order_by("due_at", "made_at")
    due = list(waiting.values_list("pk", "channel"))
    done = failed_in_a_row = 0
    for key, channel in due:
        if channel == CHANNELS.WEBHOOK and failed_in_a_row >= RULES.failures_in_a_row:
            continue  # the receiver is down; what waits keeps its tries
        arrived = _deliver(key, now)
        done += arrived
        if channel == CHANNELS.WEBHOOK:
            failed_in_a_row = 0 if arrived else failed_in_a_row + 1
    return f"{done} of {len(due)} notices delivered"


def events_forget(*, now: datetime | None = None) -> int:
    """Delete events of the webhook that arrived or were given up long ago; return how many. Alerts stay."""
    before = (now or timezone.now()) - timedelta(days=RULES.kept_days)
    events = AlertDelivery.objects.exclude(kind=AlertDelivery.ALERT).exclude(state=States.DUE)
    return events.filter(made_at__lt=before).delete()[0]


def alert_acknowledge(*, alert_id: UUID, user_id: int, note: str) -> bool:
    """Record who has seen an alert; False where somebody has already, or it is gone."""
    seen = GuardAlert.objects.filter(pk=alert_id, acknowledged_at=None)
    values = {"acknowledged_at": timezone.now(), "acknowledged_by_id": user_id, "note": note.strip()[:300]}
    return bool(seen.update(**values))


def rule_mute(*, rule: str, metric: str, reason: str, days: int, user_id: int) -> AlertMute:
    """Silence a rule for some days, today included. Raises BadMute."""
    if not reason.strip():
        raise BadMute(_("Say why the alert is muted."))
    if not 1 <= days <= LONGEST_MUTE_DAYS:
        raise BadMute(_("A mute lasts 1 to {days} days.").format(days=LONGEST_MUTE_DAYS))
    if not GuardAlert.objects.filter(rule=rule, metric=metric).exists():
        raise BadMute(_("No such alert was raised."))
    until = datetime.now(UTC).date() + timedelta(days=days - 1)
    return AlertMute.objects.create(rule=rule, metric=metric, reason=reason.strip()[:300], until=until, by_id=user_id)


def mute_end(*, mute_id: UUID) -> None:
    AlertMute.objects.filter(pk=mute_id).delete()


def _start_telling(texts: list[str]) -> None:
    """Store a notice for each channel that is set up; the next run of `deliveries_send` sends it."""
    text, now = notice_text(texts, RULES), timezone.now()
    made = {"text": text, "alerts": len(texts), "made_at": now, "due_at": now}
    to = addresses_with(get_user_model(), AUDITORS)
    if settings.MAIL_CONFIGURED and to:
        AlertDelivery.objects.create(channel=CHANNELS.MAIL, to=to, **made)
    if settings.WEBHOOK_URL:
        AlertDelivery.objects.create(channel=CHANNELS.WEBHOOK, **made)


@transaction.atomic
def _deliver(key: UUID, now: datetime) -> bool:
    """Try one notice. The row is locked, so that two workers do not send it twice."""
    due = AlertDelivery.objects.select_for_update(skip_locked=True).filter(pk=key, state=States.DUE).first()
    if due is None:
        return False
    due.fault = _send_mails(due) if due.channel == CHANNELS.MAIL else _post(due)
    due.tries += 1
    if not due.fault:
        due.state, due.done_at = States.DONE, now
    elif later := next_try(due.made_at, due.tries, now, RULES):
        due.due_at = later
    else:
        due.state = States.GIVEN_UP
    due.save()
    return not due.fault


def _send_mails(due: AlertDelivery) -> str:
    """Send one mail to each address that has not got it; the fault, or ""."""
    left, fault = list[str](), ""
    for address in due.to:
        try:
            send_mail(SUBJECT, due.text, settings.DEFAULT_FROM_EMAIL, [address])
        except OSError as error:  # refused connections and smtplib's faults
            left, fault = [*left, address], f"the mail server: {type(error).__name__}"
    due.to = left
    return fault


def _post(due: AlertDelivery) -> str:
    told: dict[str, Any] = {"kind": due.kind, "text": due.text, "notice": str(due.pk)}
    if due.kind == AlertDelivery.ALERT:
        told["subject"] = SUBJECT
    else:
        told |= {"at": due.made_at.isoformat(), "data": due.details}
    try:
        webhook_deliver(json.dumps(told, sort_keys=True))
    except WebhookRefused as error:
        return str(error)[:300]
    return ""
