"""Writes what reviewers decide, and keeps the case of a turn as their decisions have it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from audit.domain.redaction import REDACTED, Redaction, redacted
from audit.domain.reviewing import REVIEWERS, Decision, GivenDecision, label_of
from audit.inspection.turn_story import stored_response
from audit.models import ReviewedCase, ReviewItem, TurnReview
from audit.rollups.services import turns_changed

NOTE_CHARS = 2000


class BadReview(ValueError):
    """The decision cannot be stored; the message says why."""


def open_items(reviewer_id: int) -> QuerySet[ReviewItem]:
    """What this reviewer can still decide: those that wait for a second decision first, then the oldest.

    A third reviewer is not asked.
    """
    waiting = ReviewItem.objects.filter(reviews_given__lt=REVIEWERS).exclude(reviews__reviewer_id=reviewer_id)
    return waiting.select_related("audit").order_by("-reviews_given", "added_at", "pk")


@transaction.atomic
def review_give(*, item_id: UUID, reviewer_id: int, decision: str, sentences: Sequence[int], note: str) -> TurnReview:
    """Store or change a reviewer's decision, and make or change the turn's case. Raises BadReview."""
    if decision not in TurnReview.Decision.values:
        raise BadReview(_("Choose agree, disagree or unsure."))
    item = ReviewItem.objects.select_for_update().filter(pk=item_id).first()
    if item is None:
        raise BadReview(_("The turn was deleted meanwhile."))
    given = item.reviews.filter(reviewer_id=reviewer_id)
    if not given.exists() and item.reviews.count() >= REVIEWERS:
        raise BadReview(_("Two others have reviewed this turn meanwhile."))
    values = {"decision": decision, "note": note.strip()[:NOTE_CHARS]}
    wrong = sorted(set(sentences)) if decision == Decision.DISAGREE else []
    review, __ = TurnReview.objects.update_or_create(
        item=item, reviewer_id=reviewer_id, defaults={**values, "sentences": wrong}
    )
    ReviewItem.objects.filter(pk=item.pk).update(reviews_given=item.reviews.count())
    _keep_case(item)
    turns_changed(conversation_id=item.conversation_id, turn_ids=[item.audit.turn_id])
    return review


def _keep_case(item: ReviewItem) -> None:
    """Make the case equal to the decisions; no case where nobody disagrees, or where no question is kept."""
    reviews = list(item.reviews.order_by("decided_at"))
    response = stored_response(item.audit, may_read_turn=True)
    decisions = [GivenDecision(Decision(review.decision), tuple(review.sentences)) for review in reviews]
    shown = [sentence["text"] for sentence in response.get("sentences") or ()]
    label = label_of(item.outcome, shown, decisions)
    how = Redaction(settings.REDACT)
    question = redacted(response.get("standalone_question") or item.audit.question, how)
    if label is None or question in ("", REDACTED):
        ReviewedCase.objects.filter(item=item).delete()
        return
    values: dict[str, Any] = {
        "question": question,
        "kind": label.kind.value,
        "state": label.state.value,
        "sentences": [redacted(text, how) for text in label.sentences],
        "note": "\n".join(review.note for review in reviews if review.note),
    }
    ReviewedCase.objects.update_or_create(item=item, defaults=values)


@dataclass(frozen=True, slots=True)
class QueueProgress:
    """Items of one source: all of them, and those with no, one and two decisions."""

    source: str
    items: int
    waiting: int
    half: int
    done: int


def progress() -> list[QueueProgress]:
    counts = ReviewItem.objects.order_by("source").values_list("source").annotate(
        items=Count("pk"),
        waiting=Count("pk", filter=Q(reviews_given=0)),
        half=Count("pk", filter=Q(reviews_given=1)),
        done=Count("pk", filter=Q(reviews_given__gte=REVIEWERS)),
    )  # fmt: skip
    return [QueueProgress(*row) for row in counts]
