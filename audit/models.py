from django.conf import settings
from django.db import models

from audit.alerts.models import AlertDelivery as AlertDelivery
from audit.alerts.models import AlertMute as AlertMute
from audit.evaluation_runs.models import EvaluationRun as EvaluationRun
from audit.gap_models import GapCluster as GapCluster
from audit.gap_models import KnowledgeGap as KnowledgeGap
from audit.gap_models import RegressionCase as RegressionCase
from audit.guard_models import GuardAlert as GuardAlert
from audit.guard_models import GuardMetric as GuardMetric
from audit.judge_runs.models import JudgeRun as JudgeRun
from audit.replays.models import Replay as Replay
from audit.rollups.models import ChangedDay as ChangedDay
from audit.rollups.models import CitationClicks as CitationClicks
from audit.rollups.models import TroubledTurn as TroubledTurn
from audit.rollups.models import TurnCount as TurnCount
from audit.turn_reviews.models import ReviewedCase as ReviewedCase
from audit.turn_reviews.models import ReviewItem as ReviewItem
from audit.turn_reviews.models import TurnReview as TurnReview
from lectorium.keys import KeyedModel


class TurnAudit(KeyedModel):
    """The whole trace of one turn, written in the transaction that ends it."""

    conversation_id = models.UUIDField(db_index=True)
    turn = models.ForeignKey("chat.Turn", on_delete=models.CASCADE, db_constraint=False, related_name="audits")
    asker = models.CharField(max_length=24, blank=True, db_index=True, help_text="Pseudonym of the reader.")
    question = models.TextField(blank=True, help_text="Redacted according to LECTORIUM_REDACT.")
    outcome = models.CharField(max_length=20)
    reason = models.CharField(max_length=40, blank=True)
    gap = models.ForeignKey(
        KnowledgeGap, null=True, on_delete=models.SET_NULL, db_constraint=False, related_name="audits"
    )
    mode = models.CharField(max_length=10)
    confidence = models.FloatField()
    validation = models.JSONField(default=dict)
    warnings = models.JSONField(default=list)
    trace = models.JSONField(default=dict, help_text="Lanes, candidates with scores, and what was cut and why.")
    timings_ms = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = (models.Index(fields=["outcome", "-created_at"], name="audits_by_outcome"),)
        constraints = (models.UniqueConstraint(fields=["conversation_id", "turn"], name="one_audit_a_turn"),)

    def __str__(self) -> str:
        return f"{self.outcome} {self.reason}".strip()


class Feedback(KeyedModel):
    """A reader's feedback on an answer or on one citation, with both as they were shown, for staff to review."""

    class Kind(models.TextChoices):
        HELPFUL = "helpful", "Helpful"
        NOT_HELPFUL = "not_helpful", "Not helpful"
        IN_SOURCES = "in_sources", "The answer is in the sources"
        NOT_SAID = "not_said", "This clip does not say that"

    class Review(models.TextChoices):
        OPEN = "", "Open"
        AGREE = "agree", "Agree with the reader"
        DISAGREE = "disagree", "Disagree"
        NOTE = "note", "Neither, only a note"

    conversation_id = models.UUIDField(db_index=True)
    turn = models.ForeignKey("chat.Turn", on_delete=models.CASCADE, db_constraint=False, related_name="feedback")
    citation = models.PositiveSmallIntegerField(default=0, help_text="Number of the citation; 0 for the whole answer.")
    sentence = models.PositiveSmallIntegerField(default=0, help_text="Its place from 1; 0 for the whole answer.")
    asker = models.CharField(max_length=24, db_index=True, help_text="Pseudonym of the reader.")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    note = models.TextField(blank=True, help_text="Redacted according to LECTORIUM_REDACT, like all text of this row.")
    question = models.TextField(blank=True)
    answer = models.TextField(blank=True)
    outcome = models.CharField(max_length=20)
    claim = models.TextField(blank=True, help_text="The sentence the feedback is about.")
    verdict = models.CharField(max_length=12, blank=True, help_text="Verdict of the claim as shown.")
    clip = models.JSONField(default=dict, help_text="The citation as shown, and its place in its chunk.")
    gap = models.ForeignKey(
        KnowledgeGap, null=True, on_delete=models.SET_NULL, db_constraint=False, related_name="feedback"
    )
    given_at = models.DateTimeField()
    review = models.CharField(max_length=8, choices=Review.choices, blank=True, default=Review.OPEN)
    review_note = models.TextField("your note", blank=True)
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, db_constraint=False, related_name="+"
    )
    reviewed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-given_at"]
        verbose_name_plural = "feedback"
        indexes = (models.Index(fields=["review", "-given_at"], name="feedback_queue"),)
        constraints = (
            models.UniqueConstraint(
                fields=["conversation_id", "turn", "citation", "sentence"], name="feedback_once_a_target"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.question[:60]}"


class DeletedTurns(KeyedModel):
    """Deleted turns by day and outcome, so that the report's totals stay true. Contains nothing about their readers."""

    day = models.DateField()
    mode = models.CharField(max_length=10)
    outcome = models.CharField(max_length=20, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    turns = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-day"]
        verbose_name_plural = "deleted turns"
        constraints = (
            models.UniqueConstraint(fields=["day", "mode", "outcome", "reason"], name="deleted_once_a_kind"),
        )

    def __str__(self) -> str:
        return f"{self.day} {self.outcome} {self.reason}".strip()
