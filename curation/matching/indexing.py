"""Embeds what entries are matched on, for the index job: a reader's turn embeds nothing but the question.

Drafts are embedded too, so that publishing takes effect at once. Any number of workers may run, and be killed.
"""

from collections.abc import Mapping

import numpy as np
from django.db import transaction

from corpus.models import EmbeddingSpace
from curation.domain.entry import Entry
from curation.matching.entries import INDEXED, entries_in, entry_of, with_vectors
from curation.models import EntryVectors, MemoryNote, PinnedQuestion
from lectorium.providers import registry
from lectorium.providers.protocols import Vector

BATCH = 64  # entries


def entries_index(space: EmbeddingSpace) -> int:
    """Embed the entries that changed, and forget those that were deleted or withdrawn; return how many were stored."""
    entries = tuple(entries_in(INDEXED))
    EntryVectors.objects.filter(space=space).exclude(entry__in=[entry.id for entry in entries]).delete()
    due = with_vectors(entries, space.pk, space.width).waiting
    embedder, stored = registry.embedder(space.model), 0
    for start in range(0, len(due), BATCH):
        some = due[start : start + BATCH]
        texts = list(dict.fromkeys(text for entry in some for text in entry.phrasings))
        vectors = dict(zip(texts, embedder.embed_questions(texts), strict=True))
        stored += sum(_store(space, entry, vectors) for entry in some)
    return stored


@transaction.atomic
def _store(space: EmbeddingSpace, entry: Entry, vectors: Mapping[str, Vector]) -> bool:
    """Store an entry's vectors, unless it was changed or deleted meanwhile: then they are another run's work.

    The entry is locked, so that of two runs the later one to store has seen the later words.
    """
    model = PinnedQuestion if entry.kind == "pin" else MemoryNote
    row = model._default_manager.select_for_update(of=("self",), no_key=True).filter(pk=entry.id).first()
    if row is None or entry_of(row).fingerprint != entry.fingerprint:
        return False
    values = np.stack([vectors[text] for text in entry.phrasings]).astype(np.float16).tobytes()
    EntryVectors.objects.update_or_create(
        entry=entry.id, space=space, defaults={"fingerprint": entry.fingerprint, "vectors": values}
    )
    return True
