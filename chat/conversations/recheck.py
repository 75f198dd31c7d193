"""Looks up today's passages for citations made earlier, so that an exported or shared answer can be checked again."""

from collections.abc import Sequence
from uuid import UUID

from chat.conversations.domain.rechecking import Rechecked, Reference, Standing, Today, recheck
from corpus.domain.addresses.address import address_key
from corpus.domain.text.folding import fold
from corpus.models import Chunk
from corpus.querysets import ChunkQuerySet

ELSEWHERE = 20  # passages with a quote's words that are looked at


def citations_recheck(references: Sequence[Reference], collections: Sequence[UUID] | None = None) -> list[Rechecked]:
    """Return how each citation stands in these collections today, in all where None; nothing withdrawn is found."""
    chunks = Chunk.objects.filter(retrievable=True)
    if collections is not None:
        chunks = chunks.in_collections(collections)
    return [_rechecked(one, chunks) for one in references]


def _rechecked(reference: Reference, chunks: ChunkQuerySet) -> Rechecked:
    addressed = _today(chunks.at_address([address_key(reference.address)]))
    own = _today(chunks.filter(content_hash=reference.content_hash))
    found = recheck(reference, own + addressed, address_exists=bool(addressed))
    if found.standing in (Standing.UNCHANGED, Standing.MOVED) or not reference.quote:
        return found
    elsewhere = chunks.filter(folded_text__contains=fold(reference.quote)).order_by("pk")
    return recheck(reference, _today(elsewhere), address_exists=bool(addressed))


def _today(chunks: ChunkQuerySet) -> list[Today]:
    rows = chunks.values_list("pk", "content_hash", "address", "text")[:ELSEWHERE]
    return [Today(*row) for row in rows]
