"""Exports reviewed feedback as labelled data: claims with their evidence, and questions with their answers."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from audit.domain.feedback import NOT_SAID
from audit.domain.redaction import REDACTED
from audit.models import Feedback

LABELS = {Feedback.Review.AGREE: "unsupported", Feedback.Review.DISAGREE: "supported"}  # for kind NOT_SAID


def reviewed_claims() -> Iterator[dict[str, Any]]:
    """Yield {"id", "evidence", "claim", "label": supported or unsupported, "kind", "address", "verdict"}, oldest first.

    evidence: the quote as shown. verdict: the claim's verdict as shown. Left out are redacted claims, and claims copied
    from the quote: there the complaint is about the recording or its transcript.
    """
    for feedback in _decided().filter(kind=NOT_SAID).exclude(claim=REDACTED):
        if feedback.claim in feedback.clip["quote"]:
            continue
        yield {
            "id": str(feedback.pk),
            "evidence": feedback.clip["quote"],
            "claim": feedback.claim,
            "label": LABELS[Feedback.Review(feedback.review)],
            "kind": feedback.kind,
            "address": feedback.clip["address"],
            "verdict": feedback.verdict,
        }


def reviewed_answers() -> Iterator[dict[str, Any]]:
    """Yield {"id", "question", "kind" of feedback, "label": agree or disagree, "outcome", "answer"}, oldest first."""
    for feedback in _decided().exclude(kind=NOT_SAID).exclude(question=REDACTED):
        yield {
            "id": str(feedback.pk),
            "question": feedback.question,
            "kind": feedback.kind,
            "label": feedback.review,
            "outcome": feedback.outcome,
            "answer": feedback.answer,
        }


def _decided() -> QuerySet[Feedback]:
    return Feedback.objects.filter(review__in=LABELS).order_by("given_at")
