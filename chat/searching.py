"""What the lanes find for a question, without answering it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chat.asking import operator
from chat.domain.evidence import Evidence
from chat.domain.parts import Way, way_without
from chat.domain.pool import Candidate, Hit, Pool, PoolLimits, fuse
from chat.domain.question import Message, QueryPlan, Question
from chat.domain.quotation import QuotationRules
from chat.domain.selection import select
from chat.presenting import scores_of
from chat.stages.discard import discard
from chat.stages.plan import plan_question
from chat.stages.read import read
from chat.stages.retrieve import retrieve
from chat.stages.synthesize import synthesize
from corpus.domain.embedded import text_to_embed
from corpus.domain.passage import Passage
from corpus.models import EmbeddingSpace
from corpus.selectors import serving_space, space_embedder
from lectorium.threads import in_thread

LANES = ("dense", "lexical", "spelling", "address", "curated")
Thread = tuple[tuple[str, str], ...]


async def search(
    text: str,
    *,
    history: Thread = (),
    lane: str | None = None,
    limit: int = 10,
    explain: bool = False,
    without: str = "",
) -> list[dict[str, Any]]:
    """Return up to `limit` rows, best first; see lectorium.asking.search."""
    way, space = way_without(without), await in_thread(serving_space)
    plan, pool = await _looked_up(text, history, way, space)
    if lane:
        found = sorted((one for one in pool.candidates if lane in one.lanes), key=lambda one: one.lanes[lane].rank)
        return [_row(one) for one in found[:limit]]
    pool = await in_thread(read, plan, pool, way.rules)
    selection = select(pool.candidates, replace(way.rules, top_k=limit), wanted=plan.wanted_kinds)
    if explain:
        cut = [one for one in pool.candidates if one.passage.chunk_id in selection.cut]
        return [_row(one, selection.cut.get(one.passage.chunk_id)) for one in (*selection.kept, *cut)]
    return [_row(one) for one in selection.kept]


async def sift(text: str, *, history: Thread = (), beside: Sequence[Passage] = (), without: str = "") -> dict[str, Any]:
    """Return what would be kept as evidence, and what of it quoted; see lectorium.asking.sift."""
    way, space = way_without(without), await in_thread(serving_space)
    plan, pool = await _looked_up(text, history, way, space, places=len(beside))
    pool = (await in_thread(_found_first, plan, beside, space)).joined(pool, PoolLimits())
    pool = await in_thread(read, plan, pool, way.rules)
    evidence = await in_thread(discard, plan, pool, way.rules, space)
    kept = [one for one in pool.candidates if one.passage.chunk_id not in evidence.cut]
    return {
        "kept": [_addresses(one) for one in kept],
        "quoted": _quoted(evidence) if isinstance(evidence, Evidence) else [],
    }


def _quoted(evidence: Evidence) -> list[str]:
    quotes = synthesize(evidence, QuotationRules())
    return [evidence.candidates[quote.passage].passage.address_at(quote.span) for quote in quotes]


async def _looked_up(
    text: str, history: Thread, way: Way, space: EmbeddingSpace | None, *, places: int = 0
) -> tuple[QueryPlan, Pool]:
    """Return the plan and its pool; `places` of the pool, and of those that words force, are left to others."""
    viewer = await in_thread(operator)
    thread = tuple(Message(role, content) for role, content in history)
    plan = way.planned(await in_thread(plan_question, Question(text, viewer, history=thread)))
    whole = PoolLimits()
    limits = replace(whole, cap=max(0, whole.cap - places), forced=max(0, whole.forced - places))
    return plan, await retrieve(plan, viewer, limits, space, way.pooling)


def _found_first(plan: QueryPlan, passages: Sequence[Passage], space: EmbeddingSpace | None) -> Pool:
    """Return passages that nobody stored as if the sweeping lanes had found them before all others."""
    model = space_embedder(space)
    wordings = model.embed_questions([one.text for one in plan.wordings])
    cosines = model.embed_passages([text_to_embed(one.text) for one in passages]) @ wordings.T
    similarity = {one.chunk_id: float(row.max()) for one, row in zip(passages, cosines, strict=True)}
    texts = {one.chunk_id: one for one in passages}
    hits = [Hit(pk, lane, rank, similarity[pk]) for lane in ("dense", "lexical") for rank, pk in enumerate(texts, 1)]
    found = fuse(hits, replace(PoolLimits(), forced=len(passages)))
    candidates = (
        Candidate(texts[one.chunk_id], one.fused, one.lanes, one.forced, similarity[one.chunk_id]) for one in found
    )
    return Pool(tuple(candidates), {})


def _row(one: Candidate, cut: str | None = None) -> dict[str, Any]:
    return {
        "address": one.passage.address,
        "addresses": _addresses(one),
        "kind": one.passage.kind,
        "title": one.passage.title,
        "text": one.passage.text,
        **scores_of(one),
        "lanes": {name: hit.rank for name, hit in one.lanes.items()},
        "forced": one.forced,
        "cut_by": cut,
    }


def _addresses(one: Candidate) -> list[str]:
    return [paragraph.address for paragraph in one.passage.paragraphs] or [one.passage.address]
