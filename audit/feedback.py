"""Writing feedback: one row a target of a turn, changed by who gave it and reviewed by staff."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from audit.domain.feedback import Target, claim_at, clip_of
from audit.domain.redaction import Redaction, redacted
from audit.models import Feedback

MOST, WITHIN = 20, timedelta(minutes=1)  # targets that one reader may speak of in so long
_UNREVIEWED = {"review": "", "review_note": "", "reviewer_id": None, "reviewed_at": None}


def feedback_give(
    *,
    conversation_id: UUID,
    turn_id: UUID,
    asker: str,
    kind: str,
    target: Target,
    note: str,
    response: Mapping[str, Any],
) -> None:
    """Keep what a reader says, with what it is about as it was shown; given again it changes, and is open anew.

    Call it in a transaction that keeps the conversation from being forgotten meanwhile. asker: a pseudonym.
    response: the turn's whole response. Texts are kept as LECTORIUM_REDACT says.
    """
    given = {"kind": kind, "note": _kept(note)}
    rows = Feedback.objects.filter(conversation_id=conversation_id, turn_id=turn_id, **target._asdict())
    if rows.filter(**given).exists():
        return  # said twice; what was reviewed stays so
    if rows.update(**given, **_UNREVIEWED, given_at=timezone.now()):
        return
    claim, clip = claim_at(response, target), clip_of(response, target)
    Feedback.objects.create(
        conversation_id=conversation_id,
        turn_id=turn_id,
        asker=asker,
        **target._asdict(),
        **given,
        question=_kept(response.get("standalone_question") or response["question"]),
        answer=_kept(response["answer"]),
        outcome=response["outcome"],
        claim=_kept(claim.get("text", "")),
        verdict=claim.get("verdict", ""),
        clip=clip | {key: _kept(clip[key]) for key in ("title", "quote") if clip},
        given_at=timezone.now(),
    )


def feedback_take_back(*, conversation_id: UUID, turn_id: UUID, target: Target) -> None:
    """Delete what a reader said of a target, and what staff wrote of it."""
    Feedback.objects.filter(conversation_id=conversation_id, turn_id=turn_id, **target._asdict()).delete()


def feedback_review(
    *, conversation_id: UUID, feedback_id: UUID, given_at: datetime, review: str, note: str, reviewer_id: int | None
) -> bool:
    """Write staff's word on feedback as it stood at `given_at`; False where its reader changed it or took it back."""
    seen = Feedback.objects.filter(conversation_id=conversation_id, pk=feedback_id, given_at=given_at)
    return bool(seen.update(review=review, review_note=note, reviewer_id=reviewer_id, reviewed_at=timezone.now()))


def is_too_much(asker: str) -> bool:
    """Has this reader spoken of as many targets as may be within a minute?"""
    return Feedback.objects.filter(asker=asker, given_at__gt=timezone.now() - WITHIN).count() >= MOST


def feedback_in(conversation_id: UUID) -> Mapping[UUID, Sequence[Feedback]]:
    """Return what was said in a conversation, by turn, oldest first."""
    said: dict[UUID, list[Feedback]] = {}
    for feedback in Feedback.objects.filter(conversation_id=conversation_id).order_by("given_at"):
        said.setdefault(feedback.turn_id, []).append(feedback)
    return said


def _kept(text: str) -> str:
    return redacted(text, Redaction(settings.REDACT)) if text else ""
