"""Chunks and their fingerprints. Distributed tables, sharded by chunk id."""

import functools
import operator
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Case, When
from django.db.models.expressions import CombinedExpression

from corpus.language import STEMMED
from corpus.querysets import ChunkQuerySet
from lectorium.keys import KeyedModel

from .sources import Collection, Lecture, Work

WEIGHED = (("folded_heading", "A"), ("folded_address", "B"), ("folded_text", "C"), ("folded_context", "D"))


def _weighted(config: str) -> CombinedExpression:
    vectors: list[Any] = [SearchVector(field, weight=weight, config=config) for field, weight in WEIGHED]
    weighed: CombinedExpression = functools.reduce(operator.add, vectors)
    return weighed


class Chunk(KeyedModel):
    """A retrievable, quotable passage: whole sentences of a lecture, or a verse."""

    class Kind(models.TextChoices):
        LECTURE = "lecture", "Lecture"
        VERSE = "verse", "Verse"
        LIBRARY = "library", "Library passage"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    lecture = models.ForeignKey(
        Lecture, null=True, on_delete=models.CASCADE, db_constraint=False, related_name="chunks"
    )
    work = models.ForeignKey(Work, null=True, on_delete=models.CASCADE, db_constraint=False, related_name="chunks")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    ordinal = models.PositiveIntegerField()
    language = models.CharField(max_length=12, default="en")
    address = models.CharField(max_length=200, help_text="Of its first section.")
    address_keys = ArrayField(models.CharField(max_length=200), default=list, help_text="Folded, of every section.")
    heading = models.CharField(max_length=500, help_text="Title of its source; searched, never quoted.")
    speaker = models.CharField(max_length=200, blank=True, help_text="At most one speaker per chunk.")
    text = models.TextField()
    context = models.TextField(blank=True, help_text="One line on its place; searched, never shown or quoted.")
    situation = models.TextField(
        blank=True, help_text="A model's sentence on its place; embedded and searched, never shown or quoted."
    )
    situated_by = models.CharField(
        max_length=320, blank=True, help_text="Model and prompt version of that sentence; empty without one."
    )
    paragraphs = models.JSONField(default=list, help_text="[[char_start, char_end, address], …] within the text.")
    cues = models.JSONField(default=list, help_text="[[char_start, char_end, start_s, end_s], …] within the text.")
    char_start = models.PositiveIntegerField(default=0, help_text="Offset in the lecture's text.")
    char_end = models.PositiveIntegerField(default=0)
    start = models.FloatField(null=True, help_text="Seconds into the recording.")
    end = models.FloatField(null=True)
    tokens = models.PositiveSmallIntegerField(help_text="Counted by the embedder's tokenizer.")
    content_hash = models.CharField(max_length=64, help_text="Of its kind, address and text.")
    embedded_hash = models.CharField(
        max_length=64, help_text="Of the embedded text; a vector with another hash is outdated."
    )
    retrievable = models.BooleanField(default=True, help_text="False while its source is withdrawn or replaced.")
    duplicate_of = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL, db_constraint=False, related_name="duplicates"
    )
    served_in = models.UUIDField(null=True, help_text="Collection of the chunk that search shows instead.")
    likeness = models.FloatField(null=True, help_text="Share of wordings in common with that chunk, 0..1.")
    folded_heading = models.TextField()
    folded_address = models.TextField(default="")
    folded_text = models.TextField(help_text="Case, diacritics and transliteration folded.")
    folded_context = models.TextField(default="")
    search_vector = models.GeneratedField(
        expression=Case(
            *(When(language=language, then=_weighted(config)) for language, config in STEMMED.items()),
            default=_weighted("simple"),
        ),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["ordinal"]
        indexes = (
            GinIndex(fields=["search_vector"], name="chunk_search"),
            GinIndex(fields=["address_keys"], name="chunk_addresses"),
            models.Index(fields=["content_hash"], name="chunk_content"),
        )

    def __str__(self) -> str:
        return f"{self.address} · {self.heading}"


class Fingerprint(KeyedModel):
    """A chunk's MinHash bands; near-duplicates share one (corpus/indexing/duplicates.py)."""

    chunk = models.ForeignKey(
        Chunk, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="fingerprints"
    )
    text_hash = models.CharField(max_length=64, help_text="The chunk's content hash when this was made.")
    bands = ArrayField(models.BigIntegerField(), default=list, help_text="Empty for a duplicate: it is not compared.")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["chunk"], name="one_fingerprint_a_chunk"),)
        # Without fastupdate, because look-ups between writes would rescan the pending list.
        indexes = (GinIndex(fields=["bands"], name="fingerprint_bands", fastupdate=False),)

    def __str__(self) -> str:
        return f"of {self.chunk_id}"
