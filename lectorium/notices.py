"""Tells people and other systems what happened: by mail, and by a signed webhook. Both are queued jobs.

A job that fails is tried again by the queue (Q_CLUSTER), so that a dead server never holds up what sent the notice.
"""

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django_q.tasks import async_task

log = logging.getLogger(__name__)
SECONDS = 10.0
SIGNATURE, TIMESTAMP = "X-Lectorium-Signature", "X-Lectorium-Timestamp"


class WebhookRefused(RuntimeError):
    """The receiver did not accept a notice."""


def addresses_with(users: Any, permission: str) -> list[str]:
    """The mail addresses of active staff with a permission, superusers included."""
    staff = users.objects.with_perm(permission, backend="django.contrib.auth.backends.ModelBackend")
    return list(staff.filter(is_staff=True).exclude(email="").values_list("email", flat=True).distinct())


def send_notice(
    kind: str, subject: str, text: str, to: Sequence[str], details: Mapping[str, str] | None = None
) -> None:
    """Queue a mail to each address and the webhook, once the transaction is committed. Nothing configured: a log line.

    kind: e.g. "article.high_risk". details: more for the webhook; nothing of a reader's.
    """
    log.warning("notice %s: %s", kind, text)
    if settings.MAIL_CONFIGURED and to:
        transaction.on_commit(lambda: queue_task("lectorium.notices.mail_deliver", subject, text, list(to)))
    if settings.WEBHOOK_URL:
        body = json.dumps({"kind": kind, "subject": subject, "text": text, **(details or {})}, sort_keys=True)
        transaction.on_commit(lambda: queue_task("lectorium.notices.webhook_deliver", body))


def mail_deliver(subject: str, text: str, to: list[str]) -> str:
    """Send one mail to each address, so that nobody sees the others. Raises for a server that refuses."""
    for address in to:
        send_mail(f"Lectorium: {subject}", text, settings.DEFAULT_FROM_EMAIL, [address])
    return f"{len(to)} mails sent"


def webhook_deliver(body: str) -> str:
    """Post a notice, signed. Raises WebhookRefused where it is not taken."""
    if not settings.WEBHOOK_URL:
        return "LECTORIUM_WEBHOOK_URL is empty: nothing sent"
    headers = {"Content-Type": "application/json", **signed_headers(body, settings.WEBHOOK_SECRET, int(time.time()))}
    try:
        answer = httpx2.post(settings.WEBHOOK_URL, content=body.encode(), headers=headers, timeout=SECONDS)
    except httpx2.HTTPError as error:
        raise WebhookRefused(f"the webhook could not be reached: {type(error).__name__}") from None
    if answer.status_code >= 300:
        raise WebhookRefused(f"the webhook answered {answer.status_code}")
    return f"webhook answered {answer.status_code}"


def signed_headers(body: str, secret: str, at: int) -> dict[str, str]:
    """The headers that prove who sent a body. at: seconds since 1970, signed too, so that an old one can be refused."""
    digest = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return {TIMESTAMP: str(at), SIGNATURE: f"sha256={digest}"}


def queue_task(task: str, *values: Any) -> None:
    """Queue a job; one that cannot be queued is logged."""
    try:
        async_task(task, *values)
    except Exception:
        log.exception("%s could not be queued", task)
