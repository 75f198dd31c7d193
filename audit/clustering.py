"""Puts unanswered questions of one meaning into one cluster, each once and without comparing all pairs.

A question is compared with the centres of the clusters by one query of pgvector. A worker does it, never a turn.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Avg, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Cast
from pgvector.django import CosineDistance, HalfVectorField

from audit.alerts.events import gap_announce
from audit.domain.clusters import ClusterRules, joins, merges
from audit.domain.redaction import REDACTED
from audit.gap_models import GapCluster, KnowledgeGap
from corpus.models import EmbeddingSpace
from corpus.selectors import serving_space, space_embedder
from lectorium.only_run import wait_for_lock

RULES = ClusterRules()
BATCH = 64
State = GapCluster.State


def gaps_cluster() -> int:
    """Put every open question without a cluster into one; return how many. Safe to run twice and side by side."""
    space = serving_space()
    if space is None:
        return 0
    _move_to(space)
    placed = 0
    for keys, vectors in _embedded(space, _with_text().filter(cluster=None, state=KnowledgeGap.State.OPEN)):
        for key, vector in zip(keys, vectors, strict=True):
            placed += gap_place(gap_id=key, vector=vector, space=space)
    _reopen()
    return placed


@transaction.atomic
def gap_place(*, gap_id: UUID, vector: Sequence[float], space: EmbeddingSpace) -> bool:
    """Put a question into the nearest cluster, or into a new one; False where it has one already or is gone."""
    wait_for_lock("gap clusters")  # two workers must not open two clusters for one meaning
    gap = KnowledgeGap.objects.select_for_update().filter(pk=gap_id, cluster=None).first()
    if gap is None:
        return False
    near = _nearest(space, vector)
    is_new = not (near and joins(near.distance, RULES))
    opened = cluster = GapCluster.objects.create(space=space, centre=vector) if is_new else near
    KnowledgeGap.objects.filter(pk=gap_id).update(cluster=cluster, embedding=vector)
    _centre(cluster)
    while near := _near_identical(cluster):
        cluster = clusters_merge(into=min(cluster, near, key=_age), other=max(cluster, near, key=_age))
    if is_new and opened.pk == cluster.pk:
        gap_announce(gap_id=cluster.pk, is_again=False)
    return True


def refused_like(vector: Sequence[float], space: EmbeddingSpace) -> list[KnowledgeGap]:
    """The refused questions of the subject of a question, the nearest first; dismissed ones are left out."""
    asked = Cast("embedding", HalfVectorField(dimensions=space.width))
    gaps = _with_text().filter(kind=KnowledgeGap.Kind.REFUSED, cluster__space=space, embedding__isnull=False)
    near = gaps.exclude(cluster__state=State.DISMISSED).annotate(distance=CosineDistance(asked, vector))
    return [gap for gap in near.order_by("distance", "-times")[:BATCH] if joins(gap.distance, RULES)]


@transaction.atomic
def clusters_merge(*, into: GapCluster, other: GapCluster) -> GapCluster:
    """Move the questions of one cluster into another. A pin that only the merged one has moves with them."""
    KnowledgeGap.objects.filter(cluster=other).update(cluster=into)
    if other.pin_id and not into.pin_id:
        GapCluster.objects.filter(pk=into.pk).update(pin=other.pin_id)
    other.delete()
    _centre(into)
    into.refresh_from_db()
    return into


def _nearest(space: EmbeddingSpace, vector: Any, among: Q | None = None) -> Any:
    """The cluster with the nearest centre, with its cosine `distance`."""
    centre = Cast("centre", HalfVectorField(dimensions=space.width))
    clusters = GapCluster.objects.filter(among or Q(), space=space, centre__isnull=False)
    return clusters.annotate(distance=CosineDistance(centre, vector)).order_by("distance", "created_at").first()


def _near_identical(cluster: GapCluster) -> GapCluster | None:
    """Another cluster to merge with. What editors dismissed stays apart from what is open."""
    dismissed = Q(state=State.DISMISSED)
    alike = dismissed if cluster.state == State.DISMISSED else ~dismissed
    near = _nearest(cluster.space, cluster.centre, alike & ~Q(pk=cluster.pk)) if cluster.space else None
    return near if near and merges(near.distance, RULES) else None


def _age(cluster: GapCluster) -> tuple[Any, UUID]:
    return cluster.created_at, cluster.pk


def _centre(cluster: GapCluster) -> None:
    """Set the centre to the mean of the questions' vectors; a cosine ignores its length."""
    cluster.centre = cluster.gaps.filter(embedding__isnull=False).aggregate(mean=Avg("embedding"))["mean"]
    cluster.save(update_fields=["centre"])


def _reopen() -> None:
    """Open the answered clusters in which a question is open again."""
    asked = KnowledgeGap.objects.filter(cluster=OuterRef("pk"), state=KnowledgeGap.State.OPEN)
    answered = GapCluster.objects.filter(Exists(asked), state=State.ANSWERED, asking_since=None)
    for key in list(answered.values_list("pk", flat=True)):
        with transaction.atomic():
            if answered.filter(pk=key).update(state=State.OPEN):
                gap_announce(gap_id=key, is_again=True)


def _move_to(space: EmbeddingSpace) -> None:
    """Embed the questions of clusters of another space anew, after a switch; what belongs together stays together."""
    strangers = GapCluster.objects.exclude(space=space)
    for cluster in list(strangers):
        for keys, vectors in _embedded(space, _with_text().filter(cluster=cluster)):
            for key, vector in zip(keys, vectors, strict=True):
                KnowledgeGap.objects.filter(pk=key).update(embedding=vector)
        cluster.space = space
        cluster.save(update_fields=["space"])
        _centre(cluster)


def _with_text() -> QuerySet[KnowledgeGap]:
    return KnowledgeGap.objects.exclude(question__in=("", REDACTED)).order_by("first_seen", "pk")


def _embedded(space: EmbeddingSpace, gaps: QuerySet[KnowledgeGap]) -> Iterator[tuple[list[UUID], Any]]:
    """Ids and vectors of the questions, a batch at a time."""
    rows = iter(list(gaps.values_list("pk", "question")))
    while batch := list(islice(rows, BATCH)):
        keys, questions = zip(*batch, strict=True)
        yield list(keys), space_embedder(space).embed_questions(list(questions))
