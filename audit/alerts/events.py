"""Tells the webhook of what happened: an answer refused, a gap opened, an import ended. Ids and counts, never texts.

An event is stored with what it tells of, in one transaction, and delivered by the worker like an alert.
"""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from audit.alerts.models import AlertDelivery
from audit.domain.deliveries import WebhookEvent
from corpus.models import Import
from lectorium.notices import queue_task

IMPORT_EVENTS = {Import.State.DONE: WebhookEvent.IMPORT_FINISHED, Import.State.FAILED: WebhookEvent.IMPORT_FAILED}


def event_announce(event: WebhookEvent, text: str, **details: Any) -> None:
    """Store an event for the webhook, where LECTORIUM_WEBHOOK_EVENTS has it. details: nothing of a reader's."""
    if event not in settings.WEBHOOK_EVENTS:
        return
    now = timezone.now()
    webhook = AlertDelivery.Channel.WEBHOOK
    AlertDelivery.objects.create(channel=webhook, kind=event, text=text, details=details, made_at=now, due_at=now)
    transaction.on_commit(lambda: queue_task("audit.tasks.send_alerts"))


def refusal_announce(*, audit_id: UUID, turn_id: UUID, outcome: str, reason: str, mode: str) -> None:
    event_announce(
        WebhookEvent.ANSWER_REFUSED,
        f"A question was not answered: {reason or outcome}.",
        turn=str(turn_id),
        outcome=outcome,
        reason=reason,
        mode=mode,
        url=reverse("audit_turn", args=[audit_id]),
    )


def gap_announce(*, gap_id: UUID, is_again: bool) -> None:
    """is_again: an answered gap was opened again by a question."""
    event_announce(
        WebhookEvent.GAP_OPENED,
        "An answered knowledge gap is open again." if is_again else "There is a new knowledge gap.",
        gap=str(gap_id),
        again=is_again,
        url=reverse("admin:audit_gapcluster_change", args=[gap_id]),
    )


def announce_import(sender: type[Import], row: Import, **signal: Any) -> None:
    """Receives corpus.import_events.import_ended."""
    event = IMPORT_EVENTS[Import.State(row.state)]
    if event not in settings.WEBHOOK_EVENTS:  # asked before the URL is made, for which a command loads every view
        return
    event_announce(
        event,
        "An import is finished." if event is WebhookEvent.IMPORT_FINISHED else "An import failed.",
        **{"import": str(row.pk)},
        collection=row.collection.key,
        files=len(row.files),
        counts=row.counts,
        url=reverse("admin:corpus_import_change", args=[row.pk]),
    )
