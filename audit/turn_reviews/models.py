"""The queue of turns to review, what each reviewer decided, and the cases that come of it.

All of it hangs on the audit of a turn, and is deleted with it.
"""

from django.conf import settings
from django.db import models

from lectorium.keys import KeyedModel


class ReviewItem(KeyedModel):
    """A turn to be reviewed by two people, and the kind of turn that it stands for."""

    class Source(models.TextChoices):
        SAMPLE = "sample", "Drawn at random"
        FLAGGED = "flagged", "The checks objected"
        FEEDBACK = "feedback", "A reader complained"
        HAND = "hand", "Put here by an auditor"

    conversation_id = models.UUIDField(db_index=True)
    audit = models.ForeignKey("audit.TurnAudit", on_delete=models.CASCADE, db_constraint=False, related_name="+")
    source = models.CharField(max_length=8, choices=Source.choices)
    risk = models.CharField(max_length=8)
    mode = models.CharField(max_length=10)
    outcome = models.CharField(max_length=20)
    language = models.CharField(max_length=12)
    added_at = models.DateTimeField(auto_now_add=True)
    reviews_given = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["added_at"]
        indexes = (models.Index(fields=["reviews_given", "added_at"], name="review_queue"),)
        constraints = (models.UniqueConstraint(fields=["audit"], name="one_item_a_turn"),)

    def __str__(self) -> str:
        return f"{self.get_source_display()}: {self.outcome}, {self.mode}"


class TurnReview(KeyedModel):
    """What one reviewer decided about one turn."""

    class Decision(models.TextChoices):
        AGREE = "agree", "Agree"
        DISAGREE = "disagree", "Disagree"
        UNSURE = "unsure", "Unsure"

    item = models.ForeignKey(ReviewItem, on_delete=models.CASCADE, db_constraint=False, related_name="reviews")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, db_constraint=False, related_name="+"
    )
    decision = models.CharField(max_length=8, choices=Decision.choices)
    sentences = models.JSONField(default=list, help_text="Places from 1 of the sentences that are wrong.")
    note = models.TextField(blank=True)
    decided_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["decided_at"]
        constraints = (models.UniqueConstraint(fields=["item", "reviewer"], name="one_review_a_reviewer"),)

    def __str__(self) -> str:
        return self.get_decision_display()


class ReviewedCase(KeyedModel):
    """A turn that a reviewer disagreed with, as a case of `manage.py evaluate reviewed`."""

    class Kind(models.TextChoices):
        WRONG = "wrong", "Must not be said again"
        ANSWERABLE = "answerable", "Must be answered"

    class State(models.TextChoices):
        PROPOSED = "proposed", "Proposed by one reviewer"
        CONFIRMED = "confirmed", "Confirmed by two"
        CONTESTED = "contested", "The reviewers disagree"

    item = models.OneToOneField(ReviewItem, on_delete=models.CASCADE, db_constraint=False, related_name="case")
    question = models.TextField(help_text="As it stands by itself; redacted according to LECTORIUM_REDACT.")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=9, choices=State.choices)
    sentences = models.JSONField(default=list, help_text="What must not be shown again.")
    note = models.TextField(blank=True, help_text="The reviewers' notes.")
    made_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True)
    passed = models.BooleanField(null=True, help_text="Result of the last check.")
    outcome = models.CharField(max_length=20, blank=True, help_text="Outcome of the last check.")

    class Meta:
        ordering = ["made_at"]

    def __str__(self) -> str:
        return self.question[:80]
