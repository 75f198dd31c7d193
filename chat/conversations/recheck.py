"""Compares earlier citations with today's passages, so that an exported or shared answer can be checked again."""

from collections.abc import Sequence
from uuid import UUID

from chat.conversations.domain.rechecking import (
    CitationStatus,
    CurrentPassage,
    RecheckedCitation,
    Reference,
    recheck_citation,
)
from corpus.domain.addresses.address import address_key
from corpus.domain.text.folding import fold
from corpus.models import Chunk
from corpus.querysets import ChunkQuerySet

ELSEWHERE = 20  # passages with a quote's words that are looked at


def citations_recheck(
    references: Sequence[Reference], collections: Sequence[UUID] | None = None
) -> list[RecheckedCitation]:
    """How each citation stands today in these collections, or in all. Withdrawn passages do not count."""
    chunks = Chunk.objects.filter(retrievable=True)
    if collections is not None:
        chunks = chunks.in_collections(collections)
    return [_rechecked(reference, chunks) for reference in references]


def _rechecked(reference: Reference, chunks: ChunkQuerySet) -> RecheckedCitation:
    addressed = _today(chunks.at_address([address_key(reference.address)]))
    own = _today(chunks.filter(content_hash=reference.content_hash))
    found = recheck_citation(reference, own + addressed, address_exists=bool(addressed))
    if found.standing in (CitationStatus.UNCHANGED, CitationStatus.MOVED) or not reference.quote:
        return found
    elsewhere = chunks.filter(folded_text__contains=fold(reference.quote)).order_by("pk")
    return recheck_citation(reference, _today(elsewhere), address_exists=bool(addressed))


def _today(chunks: ChunkQuerySet) -> list[CurrentPassage]:
    rows = chunks.values_list("pk", "content_hash", "address", "text")[:ELSEWHERE]
    return [CurrentPassage(*row) for row in rows]
