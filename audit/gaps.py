"""Writing knowledge gaps: a turn joins the gap of its question, and takes its part back when it is deleted."""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from audit.domain.gaps import Gap
from audit.domain.redaction import Redaction, redacted
from audit.models import KnowledgeGap
from corpus.domain.text.folding import fold


def gap_join(*, gap: Gap, conversation_id: UUID, turn_id: UUID) -> KnowledgeGap:
    """Count a turn in the gap of its question, which is opened where there is none yet; call it in a transaction.

    Processes that join one gap at once wait for one another's row; one that was deleted meanwhile is opened anew.
    """
    how = Redaction(settings.REDACT)
    key = key_of(gap.question)
    opened = {"question": redacted(gap.question, how)}
    joined = {
        "reason": gap.reason,
        "sentence": redacted(gap.sentence, how) if gap.sentence else "",
        "nearest": list(gap.nearest),
        "last_seen": timezone.now(),
        "last_conversation_id": conversation_id,
        "last_turn_id": turn_id,
    }
    while True:
        found, _ = KnowledgeGap.objects.get_or_create(key=key, kind=gap.kind, defaults=opened)
        if KnowledgeGap.objects.filter(pk=found.pk).update(times=F("times") + 1, **joined):
            return found


def is_noted(gap: Gap | None) -> bool:
    """Do editors get to read a refused question? Where it is redacted wholly, they see only that one was refused."""
    return gap is not None and gap.kind == "refused" and Redaction(settings.REDACT) is not Redaction.ALL


def gap_mark(*, gap_id: UUID, state: str) -> None:
    """Open or close a gap; what is counted meanwhile stays counted."""
    KnowledgeGap.objects.filter(pk=gap_id).update(state=state)


def gaps_forget(*, turns: Mapping[UUID, int], turn_ids: Collection[UUID]) -> None:
    """Take deleted turns out of their gaps: `turns` says how many of each gap. A gap that is nobody's any more goes.

    What only the last of them said goes with it.
    """
    for gap_id in sorted(turns):
        one = KnowledgeGap.objects.filter(pk=gap_id)
        one.update(times=F("times") - turns[gap_id])
        one.filter(times__lte=0).delete()
        one.filter(last_turn_id__in=turn_ids).update(
            sentence="", nearest=[], last_conversation_id=None, last_turn_id=None
        )


def key_of(question: str) -> str:
    """Return what two spellings of one question share, and from which it cannot be read: a hash keyed by the site."""
    return salted_hmac("lectorium.audit.gap", fold(question), algorithm="sha256").hexdigest()
