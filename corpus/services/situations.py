"""Storing the sentences in which a model situates chunks."""

from collections.abc import Mapping
from uuid import UUID

from corpus.models import Chunk

from .storing import SITUATED_FIELDS, situate


def situations_store(*, sentences: Mapping[UUID, tuple[str, str]]) -> int:
    """Store {chunk id: (sentence, who wrote it)} and return how many were; call it in a transaction.

    A chunk that has a sentence keeps it, and one that an import is changing goes without.
    """
    chunks = Chunk.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=sentences, situation="")
    stored = 0
    for chunk in chunks.order_by().only("text", "context"):
        situate(chunk, *sentences[chunk.pk])
        values = {field: getattr(chunk, field) for field in SITUATED_FIELDS}
        stored += Chunk.objects.filter(pk=chunk.pk).update(**values)
    return stored
