"""Queued jobs of curation. All are idempotent."""

from corpus.models import EmbeddingSpace
from curation.matching.indexing import entries_index


def index_entries() -> str:
    """Embed changed entries for every space in use; return a one-line summary. A change of an entry queues it."""
    spaces = EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.RETIRED)
    return f"{sum(entries_index(space) for space in spaces)} entries embedded"
