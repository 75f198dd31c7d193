"""Embedding spaces, their vectors, and the runs that fill them."""

from datetime import timedelta

from django.db import models
from django.utils import timezone
from pgvector.django import HalfVectorField

from corpus.querysets import VectorQuerySet
from lectorium.keys import KeyedModel

from .chunks import Chunk

SILENT_AFTER = timedelta(minutes=2)  # a run silent for longer counts as killed


class EmbeddingSpace(KeyedModel):
    """Comparable vectors: one model, width and kind of index. A reference table."""

    class State(models.TextChoices):
        BUILDING = "building", "Building"
        READY = "ready", "Ready to serve"
        SERVING = "serving", "Serving"
        RETIRED = "retired", "Retired"

    class Dtype(models.TextChoices):
        HALFVEC = "halfvec", "Halves (16-bit floats)"
        BINARY = "binary", "Bits, re-ranked with halves"

    model = models.CharField(max_length=200)
    width = models.PositiveSmallIntegerField()
    dtype = models.CharField(
        max_length=8, choices=Dtype.choices, default=Dtype.HALFVEC, help_text="What its index compares."
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.BUILDING)
    calibration = models.JSONField(default=dict, blank=True)
    tuned = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text='{table: {"rows": vectors then, recall: [rows looked at, recall reached]}}, by index --tune.',
    )
    created_at = models.DateTimeField(auto_now_add=True)
    indexed_at = models.DateTimeField(
        null=True, editable=False, help_text="When its vectors were last brought up to date."
    )
    indexed_version = models.CharField(
        max_length=16, default="", editable=False, help_text="Corpus version of the word statistics."
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["model", "width", "dtype"], name="space_model_width_dtype"),
            models.UniqueConstraint(fields=["state"], condition=models.Q(state="serving"), name="one_space_serves"),
        )

    def __str__(self) -> str:
        return f"{self.model}:{self.dtype}"


class StoredVector(KeyedModel):
    """What a search narrows by without its chunk. Each space has indexes of its own (indexing/vector_index.py).

    A chunk's source never changes; a vector with another collection than its chunk is outdated.
    """

    collection_id = models.UUIDField(help_text="Its chunk's collection.")
    source_id = models.UUIDField(null=True, help_text="Its chunk's lecture or work.")

    class Meta:
        abstract = True


class ChunkVector(StoredVector):
    """A chunk's vector in a space."""

    chunk = models.ForeignKey(
        Chunk, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="vectors"
    )
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    embedded_hash = models.CharField(max_length=64, help_text="Of what was embedded.")
    sentences = models.PositiveSmallIntegerField(
        null=True, help_text="Sentence vectors stored with it; empty: indexed before sentences were embedded."
    )
    embedding = HalfVectorField()

    objects = VectorQuerySet["ChunkVector"].as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["chunk", "space"], name="one_vector_a_chunk_and_space"),)

    def __str__(self) -> str:
        return f"{self.chunk_id} in {self.space_id}"


class SentenceVector(StoredVector):
    """A sentence's vector in a space, stored and replaced with its chunk's vector."""

    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+")
    space = models.ForeignKey(
        EmbeddingSpace, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+"
    )
    position = models.PositiveSmallIntegerField(help_text="Position in the chunk, from 0.")
    start = models.PositiveIntegerField(help_text="Its first character in the chunk's text.")
    end = models.PositiveIntegerField(help_text="The character after its last.")
    embedding = HalfVectorField()

    objects = VectorQuerySet["SentenceVector"].as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["chunk", "space", "position"], name="one_vector_a_sentence_and_space"),
        )

    def __str__(self) -> str:
        return f"sentence {self.position} of {self.chunk_id} in {self.space_id}"


class IndexRun(KeyedModel):
    """One worker's run over one space. A local table."""

    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="runs")
    worker = models.CharField(max_length=200, help_text="Host and process.")
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(auto_now_add=True, help_text="When it last stored a batch.")
    finished_at = models.DateTimeField(null=True)
    total = models.PositiveIntegerField(help_text="Outdated chunks at the start.")
    embedded = models.PositiveIntegerField(default=0)
    situated = models.PositiveIntegerField(default=0, help_text="Chunks for which a model wrote a sentence of context.")
    remark = models.TextField(blank=True, help_text="Why the run stopped asking the model.")
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-started_at"]

    def __str__(self) -> str:
        return f"{self.space}, {self.started_at:%Y-%m-%d %H:%M}, {self.outcome}"

    @property
    def outcome(self) -> str:
        """ "at work", "finished", "failed" or "killed"."""
        if self.finished_at:
            return "failed" if self.error else "finished"
        return "at work" if timezone.now() - self.seen_at < SILENT_AFTER else "killed"


class IndexClaim(KeyedModel):
    """A share of a space's chunks and the run that holds it until a deadline. A local table.

    Shares are claimed by a conditional UPDATE, so workers on several hosts need no other lock.
    """

    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="+")
    share = models.PositiveSmallIntegerField(help_text="The first six bits of the chunks' ids.")
    run = models.UUIDField(null=True)
    until = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["space", "share"], name="one_claim_a_space_and_share"),)

    def __str__(self) -> str:
        return f"share {self.share} of {self.space_id}"
