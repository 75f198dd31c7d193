"""Writes knowledge gaps: a turn is added to the gap of its question, and removed when it is deleted."""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_q.tasks import async_task

from audit.domain.gaps import Gap
from audit.domain.redaction import Redaction, redacted
from audit.gap_models import GapCluster, KnowledgeGap
from corpus.domain.text.folding import fold


def gap_join(*, gap: Gap, conversation_id: UUID, turn_id: UUID) -> KnowledgeGap:
    """Count a turn in the gap of its question, creating the gap if needed. Call it in a transaction.

    Concurrent turns wait for the gap's row lock. If the gap was deleted in between, it is created again. A closed gap
    opens again. A worker then puts it into a cluster; the turn embeds nothing.
    """
    how = Redaction(settings.REDACT)
    key = key_of(gap.question)
    created = {"question": redacted(gap.question, how)}
    latest = {
        "reason": gap.reason,
        "sentence": redacted(gap.sentence, how) if gap.sentence else "",
        "nearest": list(gap.nearest),
        "last_seen": timezone.now(),
        "last_conversation_id": conversation_id,
        "last_turn_id": turn_id,
    }
    while True:
        found, is_new = KnowledgeGap.objects.get_or_create(key=key, kind=gap.kind, defaults=created)
        state = KnowledgeGap.State.OPEN
        if KnowledgeGap.objects.filter(pk=found.pk).update(times=F("times") + 1, state=state, **latest):
            if is_new or found.state == KnowledgeGap.State.CLOSED:
                transaction.on_commit(lambda: async_task("audit.tasks.cluster_gaps"))
            return found


def is_noted(gap: Gap | None) -> bool:
    """Whether editors can read the refused question. With LECTORIUM_REDACT=all they only see that one was refused."""
    return gap is not None and gap.kind == "refused" and Redaction(settings.REDACT) is not Redaction.ALL


def gap_mark(*, gap_id: UUID, state: str) -> None:
    """Open or close a gap, without overwriting a concurrent count."""
    KnowledgeGap.objects.filter(pk=gap_id).update(state=state)


def gaps_forget(*, turns: Mapping[UUID, int], turn_ids: Collection[UUID]) -> None:
    """Remove deleted turns from their gaps; `turns` has their number by gap id.

    A gap without turns is deleted, and a cluster without gaps.
    The sentence and nearest passages of a gap are cleared if they came from a deleted turn.
    """
    clusters = list(GapCluster.objects.filter(gaps__in=turns).distinct().values_list("pk", flat=True))
    for gap_id in sorted(turns):
        gap = KnowledgeGap.objects.filter(pk=gap_id)
        gap.update(times=F("times") - turns[gap_id])
        gap.filter(times__lte=0).delete()
        gap.filter(last_turn_id__in=turn_ids).update(
            sentence="", nearest=[], last_conversation_id=None, last_turn_id=None
        )
    GapCluster.objects.filter(pk__in=clusters, gaps=None).delete()


def key_of(question: str) -> str:
    """A keyed hash of the folded question: equal for two spellings of it, and not reversible without the site's key."""
    return salted_hmac("lectorium.audit.gap", fold(question), algorithm="sha256").hexdigest()
