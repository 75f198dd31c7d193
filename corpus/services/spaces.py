"""The states of an embedding space: building → ready ⇄ serving, and retired."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from corpus.indexing.vector_index import vector_index_drop
from corpus.models import ChunkVector, EmbeddingSpace, IndexClaim, SentenceVector
from corpus.selectors import SpaceRefused
from lectorium.providers.protocols import Embedder

State = EmbeddingSpace.State
DELETED_TOGETHER = 10_000


def space_ensure(embedder: Embedder, dtype: str = "") -> EmbeddingSpace:
    """The embedder's space, created if missing. The first space serves at once.

    dtype: selects among several spaces of a model; if empty, any existing one, or a new one (LECTORIUM_VECTOR_INDEX).
    """
    wanted = {"dtype": dtype} if dtype else {}
    found = EmbeddingSpace.objects.filter(model=embedder.name, width=embedder.width, **wanted)
    space = found.exclude(state=State.RETIRED).order_by("created_at").first() or found.first()
    if space is None:
        space, _ = EmbeddingSpace.objects.get_or_create(
            model=embedder.name, width=embedder.width, dtype=dtype or settings.VECTOR_INDEX
        )
    if not EmbeddingSpace.objects.filter(state=State.SERVING).exists():
        EmbeddingSpace.objects.filter(pk=space.pk).update(state=State.SERVING)
        space.refresh_from_db()
    return space


def space_build(embedder: Embedder, dtype: str) -> EmbeddingSpace:
    """Create a space, or reopen a retired one, to be filled in the background. Idempotent."""
    space = space_ensure(embedder, dtype)
    EmbeddingSpace.objects.filter(pk=space.pk, state=State.RETIRED).update(state=State.BUILDING)
    space.refresh_from_db()
    return space


def space_fill_end(*, space: EmbeddingSpace, at: datetime, version: str) -> None:
    """Record that every chunk of a corpus version has its vector; a space under construction becomes ready."""
    EmbeddingSpace.objects.filter(pk=space.pk, state=State.BUILDING).update(state=State.READY)
    EmbeddingSpace.objects.filter(pk=space.pk).update(indexed_at=at, indexed_version=version)


def space_switch(*, space: EmbeddingSpace) -> None:
    """Answer from this space from the next question on; the previous one stays ready.

    A running turn ends in the space it began in. Raises SpaceRefused where the space is not ready.
    """
    with transaction.atomic():
        EmbeddingSpace.objects.filter(state=State.SERVING).exclude(pk=space.pk).update(state=State.READY)
        switched = EmbeddingSpace.objects.filter(pk=space.pk, state__in=(State.READY, State.SERVING))
        if not switched.update(state=State.SERVING):
            space.refresh_from_db()
            raise SpaceRefused(f"{space} is {space.state}, not ready: run manage.py index until it is filled.")


def space_retire(*, space: EmbeddingSpace) -> int:
    """Drop the indexes and vectors of a space that does not serve; return how many chunks had one.

    Raises SpaceRefused for the serving space.
    """
    if not EmbeddingSpace.objects.filter(pk=space.pk).exclude(state=State.SERVING).update(state=State.RETIRED):
        raise SpaceRefused(f"{space} is in use: switch to another space first.")
    IndexClaim.objects.filter(space=space).delete()
    vector_index_drop(space=space)
    deleted = 0
    vectors, sentences = ChunkVector.objects.filter(space=space), SentenceVector.objects.filter(space=space)
    while keys := list(vectors.values_list("chunk_id", flat=True)[:DELETED_TOGETHER]):
        with transaction.atomic():  # in one transaction, since sentence vectors are only found by their chunk's vector
            sentences.filter(chunk_id__in=keys)._raw_delete("default")
            deleted += vectors.filter(chunk_id__in=keys)._raw_delete("default")
    return deleted
