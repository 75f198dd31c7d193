"""Articles and their compiles. They are read, and never retrieved: no look-up for an answer knows these tables."""

import uuid

from django.conf import settings
from django.db import models
from pydantic import TypeAdapter
from simple_history.models import HistoricalRecords

from articles.domain.body import ArticleBody
from articles.domain.halugate import ArticleRisk, GateCounts
from corpus.models import Collection
from lectorium.keys import KeyedModel

BODY = TypeAdapter(ArticleBody)
COUNTS = TypeAdapter(GateCounts)
PERMISSION = "articles.publish_articles"


class Article(KeyedModel):
    """A topic and its compiles. Readers see `published`, once a person has published it."""

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        IN_REVIEW = "in_review", "In review"
        PUBLISHED = "published", "Published"
        WITHDRAWN = "withdrawn", "Withdrawn"

    topic = models.CharField(max_length=200, help_text="What to search for, e.g. “the three strands of nature”.")
    title = models.CharField(max_length=200, blank=True, help_text="Shown above the article; empty for the topic.")
    collection = models.ForeignKey(
        Collection, null=True, blank=True, on_delete=models.PROTECT, related_name="+",
        help_text="Compile from this collection only; empty for all that you may read.",
    )  # fmt: skip
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    compiled_for = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False,
        help_text="The editor whose collections it is compiled from.",
    )  # fmt: skip
    latest = models.ForeignKey("ArticleVersion", null=True, on_delete=models.SET_NULL, related_name="+", editable=False)
    published = models.ForeignKey(
        "ArticleVersion", null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    problem = models.CharField(max_length=500, blank=True, editable=False, help_text="Why the last compile failed.")
    search_text = models.TextField(blank=True, editable=False, help_text="Folded words of what readers see.")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    history = HistoricalRecords(
        history_id_field=models.UUIDField(default=uuid.uuid4, editable=False), excluded_fields=["search_text"]
    )

    class Meta:
        ordering = ["-updated_at"]
        permissions = (("publish_articles", "Can review, publish and withdraw articles"),)

    def __str__(self) -> str:
        return self.title or self.topic


class ArticleVersion(KeyedModel):
    """One compile: what was written, from which sources, and what HaluGate found."""

    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    body_row = models.JSONField(default=dict, help_text="An ArticleBody.")
    counts_row = models.JSONField(default=dict, help_text="GateCounts; empty until it is checked.")
    compiler = models.CharField(max_length=200, help_text="“anthology”, or the model with the version of its prompt.")
    strays = models.PositiveIntegerField(default=0, help_text="Citations of sources that were not given.")
    remark = models.CharField(max_length=500, blank=True, help_text="What the editor should know of this compile.")
    risk = models.CharField(max_length=6, blank=True, choices=[(risk, risk) for risk in ArticleRisk])
    compiled_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True)
    checked_by = models.CharField(max_length=200, blank=True, help_text="The verifier.")
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reviewed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-number"]
        constraints = (models.UniqueConstraint(fields=["article", "number"], name="one_version_a_number"),)

    def __str__(self) -> str:
        return f"Compile {self.number}"

    @property
    def body(self) -> ArticleBody:
        return BODY.validate_python(self.body_row)

    @body.setter
    def body(self, body: ArticleBody) -> None:
        self.body_row = BODY.dump_python(body, mode="json")

    @property
    def counts(self) -> GateCounts:
        return COUNTS.validate_python(self.counts_row)

    @counts.setter
    def counts(self, counts: GateCounts) -> None:
        self.counts_row = COUNTS.dump_python(counts, mode="json")


class ArticleSource(KeyedModel):
    """A source that the compiler was given. is_shown: a sentence that readers see rests on it.

    The collection decides who may read the article; the hash tells that the source changed.
    """

    version = models.ForeignKey(ArticleVersion, on_delete=models.CASCADE, related_name="sources")
    number = models.PositiveSmallIntegerField()
    address = models.CharField(max_length=200)
    address_key = models.CharField(max_length=200, db_index=True)
    title = models.CharField(max_length=500)
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="+")
    content_hash = models.CharField(max_length=64)
    is_shown = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = (models.UniqueConstraint(fields=["version", "number"], name="one_source_a_number"),)

    def __str__(self) -> str:
        return f"{self.number}. {self.title}, {self.address}"
