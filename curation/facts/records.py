"""What is recorded beside facts: what was read and checked, how facts were compared, and what was done about it."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from corpus.models import EmbeddingSpace
from lectorium.keys import KeyedModel


class FactReading(KeyedModel):
    """A passage that facts were read from. A changed passage has another hash, so it is read again."""

    chunk = models.UUIDField(help_text="A passage, or a note.")
    content_hash = models.CharField(max_length=64)
    author = models.CharField(max_length=200, help_text="“rules”, or the model.")
    found = models.PositiveIntegerField(default=0, help_text="Candidates.")
    stored = models.PositiveIntegerField(default=0, help_text="Facts stored.")
    rejected = models.JSONField(
        default=dict, help_text='{"no JSON object": 2, …}: lines of a model that were no facts.'
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "curation"
        constraints = (models.UniqueConstraint(fields=["chunk", "content_hash"], name="passage_read_once"),)

    def __str__(self) -> str:
        return f"{self.chunk}: {self.stored} of {self.found}"


class FactCheck(KeyedModel):
    """The grounding verdict on one candidate, stored or not. The counters of guard 1 are counts of these rows."""

    class Verdict(models.TextChoices):
        SUPPORTED = "supported", "Supported"
        PARTIAL = "partial", "Partly supported"
        NOT_SUPPORTED = "not_supported", "Not supported: blocked"
        CONTRADICTED = "contradicted", "Contradicted: blocked"
        UNAVAILABLE = "unavailable", "Not checked: no verifier"

    fact = models.ForeignKey("curation.Fact", null=True, on_delete=models.SET_NULL, related_name="checks")
    subject_key = models.CharField(max_length=200)
    content = models.TextField(help_text="As it was read, before any rewriting.")
    evidence = models.TextField(blank=True)
    address = models.CharField(max_length=200)
    verdict = models.CharField(max_length=13, choices=Verdict.choices)
    because = models.TextField(blank=True)
    confidence = models.FloatField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "curation"
        ordering = ["-at"]
        indexes = (
            models.Index(fields=["subject_key", "-at"], name="check_of_subject"),
            models.Index(fields=["at", "verdict"], name="check_of_week"),
        )

    def __str__(self) -> str:
        return f"{self.content} ({self.verdict})"


class SubjectReview(KeyedModel):
    """A subject whose facts were only partly supported several times in a row: an editor should consolidate them."""

    subject = models.CharField(max_length=200)
    subject_key = models.CharField(max_length=200)
    opened_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        app_label = "curation"
        ordering = ["-opened_at"]
        constraints = (
            models.UniqueConstraint(
                fields=["subject_key"], condition=models.Q(closed_at=None), name="one_open_review_a_subject"
            ),
        )

    def __str__(self) -> str:
        return self.subject


class FactVector(KeyedModel):
    """The vector of a fact's content in a space; embedded anew when the fact has another content."""

    fact = models.ForeignKey("curation.Fact", on_delete=models.CASCADE, db_constraint=False, related_name="+")
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    content = models.TextField()
    vector = models.BinaryField(help_text="16-bit floats.")

    class Meta:
        app_label = "curation"
        constraints = (models.UniqueConstraint(fields=["fact", "space"], name="one_vector_a_fact_and_space"),)

    def __str__(self) -> str:
        return str(self.fact_id)


class FactScan(KeyedModel):
    """A run of the consistency scan. One without `finished_at` was killed or is running; the next run goes on."""

    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now, help_text="When it last stored a batch.")
    finished_at = models.DateTimeField(null=True)
    total = models.PositiveIntegerField(default=0, help_text="Facts to compare at the start.")
    compared = models.PositiveIntegerField(default=0)
    in_force = models.PositiveIntegerField(default=0, help_text="Facts in force at the start.")
    counts = models.JSONField(default=dict, help_text='{"distinct": 12, "equivalent": 3, …}: pairs by verdict.')
    error = models.TextField(blank=True)

    class Meta:
        app_label = "curation"
        ordering = ["-started_at"]

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"


class FactChange(KeyedModel):
    """What the scan did about a pair, with what is needed to reverse it."""

    class Verdict(models.TextChoices):
        EQUIVALENT = "equivalent", "Equivalent: merged"
        EVOLUTION = "temporal_evolution", "Changed over time: superseded"
        CONTRADICTION = "contradiction", "Contradiction: for review"

    scan = models.ForeignKey(FactScan, null=True, on_delete=models.SET_NULL, related_name="changes")
    verdict = models.CharField(max_length=18, choices=Verdict.choices)
    fact = models.ForeignKey("curation.Fact", on_delete=models.CASCADE, related_name="+", help_text="Superseded.")
    by = models.ForeignKey("curation.Fact", on_delete=models.CASCADE, related_name="+", help_text="In force.")
    signals = models.CharField(max_length=60, help_text="structural, semantic, temporal")
    because = models.TextField()
    judge = models.CharField(max_length=200, help_text="“rules”, the verifier, or the model.")
    before = models.JSONField(default=dict, help_text="{fact: [superseded_by, because, valid_to]} before the change.")
    at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        app_label = "curation"
        ordering = ["-at"]
        indexes = (models.Index(fields=["fact", "by"], name="change_of_pair"),)

    def __str__(self) -> str:
        return f"{self.get_verdict_display()}: {self.fact} / {self.by}"
