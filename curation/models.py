"""What editors add: pinned questions and notes; the facts, translations and vectors are in their own rooms."""

import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from simple_history.models import HistoricalRecords

from corpus.domain.addresses.address import address_key
from curation.entry_vectors import EntryVectors as EntryVectors
from curation.facts.models import Contradiction as Contradiction
from curation.facts.models import Fact as Fact
from curation.facts.records import FactChange as FactChange
from curation.facts.records import FactCheck as FactCheck
from curation.facts.records import FactReading as FactReading
from curation.facts.records import FactScan as FactScan
from curation.facts.records import FactVector as FactVector
from curation.facts.records import SubjectReview as SubjectReview
from curation.translations.models import Translation as Translation
from lectorium.keys import KeyedModel


class Curated(KeyedModel):
    """The common fields of pins and notes. Only published entries are used.

    `curation.services` writes them, so that every change of a row or of its lists is in the history with all values.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        IN_REVIEW = "in_review", "In review"
        PUBLISHED = "published", "Published"
        WITHDRAWN = "withdrawn", "Withdrawn"

    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    language = models.CharField(max_length=12, default="en")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        ordering = ["-updated_at"]


class EntryHistory(models.Model):
    """What a version of an entry holds beside its own columns; `curation.history` fills it."""

    references = ArrayField(models.CharField(max_length=200), default=list)
    phrasings = ArrayField(models.CharField(max_length=500), default=list)

    class Meta:
        abstract = True


def _versions() -> HistoricalRecords:
    return HistoricalRecords(
        bases=[EntryHistory], history_id_field=models.UUIDField(default=uuid.uuid4, editable=False)
    )


class PinnedQuestion(Curated):
    """A question, its other wordings, and the references that answer it."""

    question = models.CharField(max_length=500)
    framing = models.TextField(
        blank=True, help_text="Shown above the passages, marked as the editors' words. It is never a source."
    )
    collection = models.ForeignKey(
        "corpus.Collection", null=True, blank=True, on_delete=models.PROTECT, related_name="+",
        help_text="Readers of which collection are answered by it; empty: of every collection.",
    )  # fmt: skip
    history = _versions()

    class Meta(Curated.Meta):
        permissions = (("publish_entries", "Can publish and withdraw pins and notes"),)

    def __str__(self) -> str:
        return self.question


class MemoryNote(Curated):
    """Background that connects references. The note is never quoted or cited; its references are."""

    title = models.CharField(max_length=200)
    body = models.TextField()
    triggers = ArrayField(
        models.CharField(max_length=200), default=list, blank=True, help_text="Phrases, separated by commas."
    )
    history = _versions()

    def __str__(self) -> str:
        return self.title


class PinPhrasing(KeyedModel):
    """Another wording of a pinned question."""

    pin = models.ForeignKey(PinnedQuestion, on_delete=models.CASCADE, related_name="phrasings")
    position = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=500)

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.text


class EntryReference(KeyedModel):
    """A place that an entry refers to; the address as written and as look-ups compare it."""

    position = models.PositiveSmallIntegerField()
    address = models.CharField(max_length=200)
    address_key = models.CharField(max_length=200, db_index=True, editable=False)

    class Meta:
        abstract = True
        ordering = ["position"]

    def __str__(self) -> str:
        return self.address

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.address_key = address_key(self.address)
        super().save(*args, **kwargs)


class PinReference(EntryReference):
    pin = models.ForeignKey(PinnedQuestion, on_delete=models.CASCADE, related_name="references")


class NoteReference(EntryReference):
    note = models.ForeignKey(MemoryNote, on_delete=models.CASCADE, related_name="references")
