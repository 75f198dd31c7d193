"""Stage 3, between its halves: passages of the sources that the best passages name.

A question in two steps ("Where was the author of X born?") names only its first passage, which names the second.
Measured: docs/thresholds.md, `DiscardRules.bridges`.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from chat.answering.domain.evidence.continuation import ContinuationRules, prefer_near_thread
from chat.answering.domain.evidence.pool import FusedHit, Hit, Pool
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import QueryPlan
from chat.answering.domain.viewer import Viewer
from chat.answering.stages.read import read_candidates, with_relevance
from chat.answering.stages.retrieve import load_candidates
from corpus.catalogue.titles import lectures_titled
from corpus.domain.titles import titles_named
from corpus.models import ChunkVector, EmbeddingSpace
from corpus.selectors import space_embedder
from lectorium.providers.protocols import Matrix


def read_and_bridge(
    plan: QueryPlan, pool: Pool, viewer: Viewer, rules: DiscardRules, space: EmbeddingSpace | None
) -> Pool:
    """Read the pool, then add its bridges: a turn does the two in turn.py."""
    return with_bridges(plan, read_candidates(plan, pool, rules), viewer, rules, space)


def with_bridges(
    plan: QueryPlan, pool: Pool, viewer: Viewer, rules: DiscardRules, space: EmbeddingSpace | None
) -> Pool:
    """Return a pool that was read with one passage of each source that its best passages name.

    Of a follow-up, passages near the last citation come first.
    """
    pool = prefer_near_thread(plan, pool, ContinuationRules())
    lectures = () if space is None or plan.only_addresses else _named(pool, viewer, rules)
    if not lectures or space is None:
        return pool
    vectors = space_embedder(space).embed_questions([wording.text for wording in plan.wordings])
    hits = _closest(lectures, vectors, viewer, space)
    known = tuple(
        replace(candidate, lanes={**candidate.lanes, "bridge": hits[candidate.passage.chunk_id]})
        if candidate.passage.chunk_id in hits
        else candidate
        for candidate in pool.candidates
    )
    new = [FusedHit(pk, 0.0, {"bridge": hit}, forced=False) for pk, hit in hits.items() if pk not in pool.chunk_ids]
    added = with_relevance(plan, load_candidates(new, vectors, space, plan.sought_at)) if new else []
    counts = {**pool.lane_counts, "bridge": len(hits)}
    capped = tuple(hit for hit in pool.capped if hit.chunk_id not in hits)
    return replace(pool, candidates=(*known, *added), lane_counts=counts, capped=capped)


def _named(pool: Pool, viewer: Viewer, rules: DiscardRules) -> Sequence[UUID]:
    """The lectures that the best passages name, in order, except those with a passage that is kept anyway."""
    best = sorted(
        (candidate for candidate in pool.candidates if candidate.rerank_score is not None),
        key=lambda candidate: -(candidate.rerank_score or 0.0),
    )
    if not best or not rules.bridges:
        return ()
    titled = lectures_titled(None if viewer.sees_all else viewer.collections)
    kept = {candidate.passage.source_id for candidate in best[: rules.top_k]}
    named = (
        lecture
        for candidate in best[: rules.bridge_from]
        for title in titles_named(candidate.passage.text, titled)
        for lecture in titled[title]
    )
    return list(dict.fromkeys(lecture for lecture in named if lecture not in kept))[: rules.bridges]


def _closest(lectures: Sequence[UUID], vectors: Matrix, viewer: Viewer, space: EmbeddingSpace) -> dict[UUID, Hit]:
    """Each lecture's passage closest to the question, among those that the viewer may find."""
    rows = ChunkVector.objects.filter(space=space, chunk__lecture__in=lectures).within(viewer.scope)
    best: dict[UUID, tuple[float, UUID]] = {}
    for lecture, pk, embedding in rows.values_list("chunk__lecture_id", "chunk_id", "embedding"):
        similarity = float((vectors @ np.asarray(embedding, dtype=np.float32)).max())
        best[lecture] = max(best.get(lecture, (similarity, pk)), (similarity, pk))
    found = [best[lecture] for lecture in lectures if lecture in best]
    return {pk: Hit(pk, "bridge", rank, similarity) for rank, (similarity, pk) in enumerate(found, 1)}
