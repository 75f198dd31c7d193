"""Deletes conversations, on request or when they expire: everything of a turn goes, only counts stay."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from audit.gaps import gaps_forget
from audit.services import EndedTurn, turn_audits_forget
from chat.models import Citation, Conversation, SharedLink, Turn, TurnEvent

UNDO_TIME = timedelta(minutes=10)


def conversation_forget(*, conversation_id: UUID, before: datetime | None = None) -> int:
    """Delete a conversation's turns, or only those begun before `before`; return how many.

    Their events, citations, audits and feedback go with them, and so does the conversation once it is empty. A turn
    that is still running then ends without a record.
    """
    with transaction.atomic():
        Conversation.objects.select_for_update().filter(pk=conversation_id).first()  # no turn begins meanwhile
        turns = Turn.objects.filter(conversation_id=conversation_id)
        chosen = turns.filter(started_at__lt=before) if before else turns
        rows = list(chosen.values_list("pk", "started_at", "mode", "outcome", "reason"))
        keys = [row[0] for row in rows]
        for model in (TurnEvent, Citation):
            model.objects.filter(conversation_id=conversation_id, turn_id__in=keys).delete()
        gaps = turn_audits_forget(
            conversation_id=conversation_id,
            turn_ids=keys,
            ended=[EndedTurn(started.date(), *kind) for _, started, *kind in rows],
        )
        turns.filter(pk__in=keys).delete()
        gaps_forget(turns=gaps, turn_ids=keys)  # last, as in recording: a gap's row is locked after its turn's
        for link in SharedLink.objects.filter(conversation_id=conversation_id):
            if not turns.filter(finished_at__lte=link.made_at).exists():
                link.delete()  # nothing that it showed is left
        if not turns.exists():
            Conversation.objects.filter(pk=conversation_id).delete()
    return len(keys)


def conversations_forget(*, conversation_ids: Iterable[UUID], before: datetime | None = None) -> int:
    """Delete the turns of several conversations, each in a transaction of its own; return how many."""
    return sum(conversation_forget(conversation_id=key, before=before) for key in conversation_ids)


def deleted_conversations_expire() -> int:
    """Remove the conversations that their readers deleted over ten minutes ago; return how many.

    One that its reader restores meanwhile stays.
    """
    expired = Conversation.objects.filter(deleted_at__lt=timezone.now() - UNDO_TIME)
    removed = 0
    for key in list(expired.values_list("pk", flat=True)):
        with transaction.atomic():
            if expired.select_for_update().filter(pk=key).first():
                conversation_forget(conversation_id=key)
                removed += 1
    return removed


def turns_expire() -> int:
    """Delete the turns that are older than their retention; return how many.

    LECTORIUM_RETENTION_DAYS counts for everybody, LECTORIUM_VISITOR_RETENTION_DAYS for readers without an account; 0
    keeps them.
    """
    visitors = Turn.objects.filter(conversation__owner=None)
    return _expire(Turn.objects.all(), settings.RETENTION_DAYS) + _expire(visitors, settings.VISITOR_RETENTION_DAYS)


def _expire(turns: QuerySet[Turn], days: int) -> int:
    if not days:
        return 0
    before = timezone.now() - timedelta(days=days)
    old = turns.filter(started_at__lt=before).order_by().values_list("conversation_id", flat=True).distinct()
    return conversations_forget(conversation_ids=list(old), before=before)
