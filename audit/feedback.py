"""Writes feedback: one row per target of a turn, which its reader can change and staff review."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from audit.domain.feedback import ANSWER, NOT_HELPFUL, Target, claim_at, clip_of
from audit.domain.gaps import feedback_gap
from audit.domain.redaction import Redaction, redacted
from audit.gaps import gap_join, gaps_forget
from audit.models import Feedback
from audit.rollups.services import turns_changed

MOST, WITHIN = 20, timedelta(minutes=1)  # limit of targets per reader and time
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
    """Record feedback together with the answer or citation as shown. Changed feedback replaces the old and reopens it.

    An answer that did not help joins a knowledge gap. The caller's transaction locks the conversation against deletion.
    asker: a pseudonym. response: the turn's complete
    response. Texts are redacted according to LECTORIUM_REDACT.
    """
    turns_changed(conversation_id=conversation_id, turn_ids=[turn_id])
    given = {"kind": kind, "note": _kept(note)}
    rows = Feedback.objects.filter(conversation_id=conversation_id, turn_id=turn_id, **target._asdict())
    if rows.filter(**given).exists():
        return  # unchanged, so a review stays valid
    _leave_gap(rows)
    missing = feedback_gap(response) if (kind, target) == (NOT_HELPFUL, ANSWER) else None
    gap = gap_join(gap=missing, conversation_id=conversation_id, turn_id=turn_id) if missing else None
    if rows.update(**given, **_UNREVIEWED, gap=gap, given_at=timezone.now()):
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
        gap=gap,
    )


def feedback_take_back(*, conversation_id: UUID, turn_id: UUID, target: Target) -> None:
    """Delete the feedback on a target, with its review."""
    rows = Feedback.objects.filter(conversation_id=conversation_id, turn_id=turn_id, **target._asdict())
    _leave_gap(rows)
    rows.delete()
    turns_changed(conversation_id=conversation_id, turn_ids=[turn_id])


def _leave_gap(rows: QuerySet[Feedback]) -> None:
    """Uncount the feedback in the gaps that it joined."""
    joined = list(rows.filter(gap__isnull=False).values_list("gap_id", "turn_id"))
    rows.update(gap=None)
    for gap_id, turn_id in joined:
        gaps_forget(turns={gap_id: 1}, turn_ids=[turn_id])


def feedback_review(
    *, conversation_id: UUID, feedback_id: UUID, given_at: datetime, review: str, note: str, reviewer_id: int | None
) -> bool:
    """Record a review of the feedback given at `given_at`; False if its reader has since changed or withdrawn it."""
    seen = Feedback.objects.filter(conversation_id=conversation_id, pk=feedback_id, given_at=given_at)
    return bool(seen.update(review=review, review_note=note, reviewer_id=reviewer_id, reviewed_at=timezone.now()))


def is_too_much(asker: str) -> bool:
    """Whether this reader has reached the limit of feedback per minute."""
    return Feedback.objects.filter(asker=asker, given_at__gt=timezone.now() - WITHIN).count() >= MOST


def feedback_in(conversation_id: UUID) -> Mapping[UUID, Sequence[Feedback]]:
    """The feedback in a conversation by turn, oldest first."""
    by_turn: dict[UUID, list[Feedback]] = {}
    for feedback in Feedback.objects.filter(conversation_id=conversation_id).order_by("given_at"):
        by_turn.setdefault(feedback.turn_id, []).append(feedback)
    return by_turn


def _kept(text: str) -> str:
    return redacted(text, Redaction(settings.REDACT)) if text else ""
