"""What was not answered: each question, the clusters of one meaning, and the questions that must stay answered."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Count, F, Max, Min, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Length
from django.utils import timezone
from pgvector.django import HalfVectorField

from corpus.models import EmbeddingSpace
from lectorium.keys import KeyedModel

ASKING_AT_MOST = timedelta(minutes=15)  # a worker that was killed is not waited for longer


class GapClusterQuerySet(models.QuerySet["GapCluster"]):
    def described(self) -> "QuerySet[GapCluster]":
        """With label (its question asked most often), questions, times, first_seen and last_seen, most asked first.

        Computed from the questions, so that nothing is left of a question that its reader deleted.
        """
        asked = KnowledgeGap.objects.filter(cluster=OuterRef("pk")).order_by(
            F("times").desc(), Length("question"), "first_seen"
        )
        return self.annotate(
            label=Subquery(asked.values("question")[:1]),
            questions=Count("gaps"),
            times=Sum("gaps__times"),
            first_seen=Min("gaps__first_seen"),
            last_seen=Max("gaps__last_seen"),
        ).order_by(F("times").desc(nulls_last=True), F("last_seen").desc(nulls_last=True), "pk")


class GapCluster(KeyedModel):
    """Questions of one meaning that were not answered. A question that is asked again reopens an answered cluster."""

    class State(models.TextChoices):
        OPEN = "open", "Open"
        ANSWERED = "answered", "Answered"
        DISMISSED = "dismissed", "Dismissed"

    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN, db_index=True)
    centre = HalfVectorField(null=True, help_text="Mean of its questions' vectors.")
    space = models.ForeignKey(EmbeddingSpace, null=True, on_delete=models.SET_NULL, related_name="+")
    pin = models.ForeignKey(
        "curation.PinnedQuestion", null=True, blank=True, on_delete=models.SET_NULL, related_name="gap_clusters"
    )
    dismissed_because = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, db_constraint=False, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    asking_since = models.DateTimeField(null=True, help_text="Its questions are being asked again since then.")
    asked_again_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = GapClusterQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        verbose_name = "knowledge gap"

    def __str__(self) -> str:
        return str(getattr(self, "label", "") or self.pk)[:80]

    @property
    def is_asking(self) -> bool:
        """Whether its questions are being asked again."""
        return self.asking_since is not None and timezone.now() - self.asking_since < ASKING_AT_MOST


class KnowledgeGap(KeyedModel):
    """A question that the sources did not answer, or only in part, and the number of turns that asked it.

    key: audit.gaps.key_of the question. The question itself is redacted according to LECTORIUM_REDACT.
    """

    class Kind(models.TextChoices):
        REFUSED = "refused", "Unanswered question"
        SENTENCE = "sentence", "Unsupported sentence"
        FEEDBACK = "feedback", "Answer that did not help"

    class State(models.TextChoices):
        OPEN = "open", "Open"
        CLOSED = "closed", "Closed"

    key = models.CharField(max_length=64)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    question = models.TextField(blank=True, help_text="Redacted according to LECTORIUM_REDACT.")
    sentence = models.TextField(blank=True, help_text="The latest unsupported sentences.")
    reason = models.CharField(max_length=40, blank=True)
    nearest = models.JSONField(default=list, help_text="Addresses of the closest passages.")
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    times = models.IntegerField(default=0, help_text="Number of turns that asked it.")
    first_seen = models.DateTimeField(auto_now_add=True)
    last_seen = models.DateTimeField(null=True)
    last_conversation_id = models.UUIDField(null=True)
    last_turn_id = models.UUIDField(null=True)
    cluster = models.ForeignKey(GapCluster, null=True, on_delete=models.SET_NULL, related_name="gaps")
    embedding = HalfVectorField(null=True, help_text="The question's vector in the space of its cluster.")
    after = models.JSONField(default=dict, help_text="How it was answered when it was last asked again.")

    class Meta:
        ordering = ["-times", "-last_seen"]
        verbose_name = "question of a gap"
        verbose_name_plural = "questions of gaps"
        indexes = (models.Index(fields=["-times", "-last_seen"], name="gap_most_met"),)
        constraints = (models.UniqueConstraint(fields=["key", "kind"], name="one_gap_a_question"),)

    def __str__(self) -> str:
        return self.question[:80]


class RegressionCase(KeyedModel):
    """A question that was once a gap and must stay answered. `manage.py evaluate regressions` asks it for ever."""

    key = models.CharField(max_length=64, unique=True, help_text="audit.gaps.key_of the question.")
    question = models.TextField()
    references = models.JSONField(default=list, help_text="Addresses; the answer must cite at least one of them.")
    pin = models.ForeignKey(
        "curation.PinnedQuestion", null=True, on_delete=models.SET_NULL, related_name="regression_cases"
    )
    active = models.BooleanField(default=True, help_text="Untick to retire a case whose answer is no longer wanted.")
    created_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True)
    passed = models.BooleanField(null=True, help_text="Result of the last check.")
    outcome = models.CharField(max_length=20, blank=True, help_text="Outcome of the last check.")

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.question[:80]
