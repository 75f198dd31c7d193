"""Reviewed feedback as labelled data: claims with their evidence, and questions with their answers."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from audit.domain.feedback import NOT_SAID
from audit.domain.redaction import REDACTED
from audit.models import Feedback

LABELS = {Feedback.Review.AGREE: "unsupported", Feedback.Review.DISAGREE: "supported"}  # of what is "not said"


def reviewed_claims() -> Iterator[dict[str, Any]]:
    """Yield {"id", "evidence", "claim", "label": supported or unsupported, "kind", "address", "verdict"}, oldest first.

    evidence: the quote as it was shown. verdict: what was shown of the claim. Left out is what LECTORIUM_REDACT kept no
    words of, and a claim in the quote's own words: what is wrong there is the recording or its transcript.
    """
    for one in _decided().filter(kind=NOT_SAID).exclude(claim=REDACTED):
        if one.claim in one.clip["quote"]:
            continue
        yield {
            "id": str(one.pk),
            "evidence": one.clip["quote"],
            "claim": one.claim,
            "label": LABELS[Feedback.Review(one.review)],
            "kind": one.kind,
            "address": one.clip["address"],
            "verdict": one.verdict,
        }


def reviewed_answers() -> Iterator[dict[str, Any]]:
    """Yield {"id", "question", "kind": what its reader said, "label": agree or disagree, "outcome", "answer"} so."""
    for one in _decided().exclude(kind=NOT_SAID).exclude(question=REDACTED):
        yield {
            "id": str(one.pk),
            "question": one.question,
            "kind": one.kind,
            "label": one.review,
            "outcome": one.outcome,
            "answer": one.answer,
        }


def _decided() -> QuerySet[Feedback]:
    return Feedback.objects.filter(review__in=LABELS).order_by("given_at")
