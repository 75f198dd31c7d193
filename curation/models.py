"""The human hand on retrieval: questions pinned to references, and notes that shape framing."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from lectorium.keys import Keyed


class Curated(Keyed):
    """What both kinds of entry carry. Only published entries take part in retrieval."""

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        IN_REVIEW = "in_review", "In review"
        PUBLISHED = "published", "Published"
        WITHDRAWN = "withdrawn", "Withdrawn"

    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    language = models.CharField(max_length=12, default="en")
    references = ArrayField(
        models.CharField(max_length=200), default=list, blank=True, help_text="Addresses, separated by commas."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        ordering = ["-updated_at"]


class PinnedQuestion(Curated):
    """A question an editor has answered by naming its references; these may be cited."""

    question = models.CharField(max_length=500)

    def __str__(self) -> str:
        return self.question


class MemoryNote(Curated):
    """Background that connects references; it is never quoted or cited, its references are."""

    title = models.CharField(max_length=200)
    body = models.TextField()
    triggers = ArrayField(
        models.CharField(max_length=200), default=list, blank=True, help_text="Phrases, separated by commas."
    )

    def __str__(self) -> str:
        return self.title
