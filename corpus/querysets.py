"""Filters of look-ups: visible collections, scopes, addresses and nearest vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Cast
from pgvector import HalfVector
from pgvector.django import BitField, CosineDistance, HalfVectorField, HammingDistance

if TYPE_CHECKING:
    from corpus.domain.scope import Scope
    from corpus.models import Chunk, Collection, EmbeddingSpace  # noqa: F401 - in the classes' bases

Reader = AbstractBaseUser | AnonymousUser
Stored = TypeVar("Stored", bound=models.Model)  # ChunkVector or SentenceVector


class CollectionQuerySet(models.QuerySet["Collection"]):
    def visible_to(self, user: Reader) -> CollectionQuerySet:
        """The collections a reader may see."""
        if getattr(user, "is_superuser", False):
            return self
        visible = Q(visibility="public")
        if user.is_authenticated:
            visible |= Q(visibility="members") | Q(visibility="restricted", groups__user=user.pk)
        return self.filter(visible).distinct()

    def keys_visible_to(self, user: Reader) -> tuple[UUID, ...]:
        return tuple(self.visible_to(user).values_list("pk", flat=True))


def inside(scope: Scope, prefix: str = "", *, duplicates: bool = False) -> Q:
    """The condition for a chunk (its fields under `prefix`) to be found within the scope.

    A duplicate is left out only where the chunk that replaces it is within the scope.
    """
    served = Q(**{f"{prefix}duplicate_of__isnull": False})
    found = Q(**{f"{prefix}retrievable": True})
    if scope.collections is not None:
        found &= Q(**{f"{prefix}collection_id__in": scope.collections})
        served &= Q(**{f"{prefix}served_in__in": scope.collections})
    if scope.languages:
        found &= Q(**{f"{prefix}language__in": scope.languages})
    if scope.kinds:
        found &= Q(**{f"{prefix}kind__in": scope.kinds})
    if scope.sources:
        found &= Q(**{f"{prefix}lecture_id__in": scope.sources}) | Q(**{f"{prefix}work_id__in": scope.sources})
        return found  # a source asked for by name keeps its own duplicates
    return found if duplicates else found & ~served


def likely_inside(scope: Scope) -> Q:
    """What `inside` asks of collections and sources, by a vector's own columns; languages and kinds need its chunk.

    Some vectors outside the scope meet it too, such as those of hidden chunks, so check the chunks found.
    """
    likely = Q()
    if scope.collections is not None:
        likely &= Q(collection_id__in=scope.collections)
    if scope.sources:
        likely &= Q(source_id__in=scope.sources)
    if scope.languages:
        likely &= Q(chunk__language__in=scope.languages)
    if scope.kinds:
        likely &= Q(chunk__kind__in=scope.kinds)
    return likely


class ChunkQuerySet(models.QuerySet["Chunk"]):
    def in_collections(self, collections: Sequence[UUID]) -> ChunkQuerySet:
        return self.filter(collection_id__in=collections)

    def within(self, scope: Scope, *, duplicates: bool = False) -> ChunkQuerySet:
        return self.filter(inside(scope, duplicates=duplicates))

    def at_address(self, keys: Sequence[str]) -> ChunkQuerySet:
        """Chunks with a section at one of these folded addresses."""
        return self.filter(address_keys__overlap=list(keys))


class VectorQuerySet(models.QuerySet[Stored]):
    def nearest(self, space: EmbeddingSpace, vector: Any) -> VectorQuerySet[Any]:
        """Order by cosine `distance` (0..2); the cast matches the expression of the index."""
        stored = Cast("embedding", HalfVectorField(dimensions=space.width))
        return self.filter(space_id=space.pk).annotate(distance=CosineDistance(stored, vector)).order_by("distance")

    def nearest_by_bits(self, space: EmbeddingSpace, vector: Any) -> VectorQuerySet[Any]:
        """Order by the number of differing signs (`bits`), as a binary index does."""
        bits = HammingDistance(_signs(F("embedding"), space.width), _signs(Value(_written(vector)), space.width))
        return self.filter(space_id=space.pk).annotate(bits=bits).order_by("bits")

    def within(self, scope: Scope) -> VectorQuerySet[Stored]:
        return self.filter(inside(scope, "chunk__"))

    def likely_within(self, scope: Scope) -> VectorQuerySet[Stored]:
        return self.filter(likely_inside(scope))


def _signs(vector: Any, width: int) -> Cast:
    quantized = Func(Cast(vector, HalfVectorField(dimensions=width)), function="binary_quantize")
    return Cast(quantized, BitField(length=width))


def _written(vector: Any) -> str:
    return str(HalfVector(vector).to_text())
