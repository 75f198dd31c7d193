"""What the lanes find for a question, without answering it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from chat.answering.ask import operator
from chat.answering.bridge import read_and_bridge
from chat.answering.domain.evidence.evidence import Evidence
from chat.answering.domain.evidence.pool import SWEEPING, Candidate, Hit, Pool, PoolLimits, fuse
from chat.answering.domain.evidence.quotation import QuotationRules
from chat.answering.domain.evidence.selection import DiscardRules, Selection
from chat.answering.domain.modes import LIMITS, RULES
from chat.answering.domain.query.checks import check_mode
from chat.answering.domain.question import HistoryMessage, Mode, QueryPlan, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.payloads import lanes_of, scores_of, trace_of
from chat.answering.stages.discard import discard_candidates, select_candidates
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import retrieve_candidates
from chat.answering.stages.synthesize import synthesize_quotes
from chat.live.admission import admission_control
from chat.search.parts import SearchVariant, variant_without
from corpus.domain.embedded import text_to_embed
from corpus.domain.passage import Passage
from corpus.models import EmbeddingSpace
from corpus.selectors import passages, serving_space, space_embedder
from lectorium.threads import in_thread

LANES = ("dense", "sentence", "lexical", "spelling", "address", "curated", "neighbourhood")
SHOWN = (None, "top_k")  # what is kept, and what only had no place
Thread = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _SearchOptions:
    """How a question is searched for: as a turn of this mode would, but for the part that the way does without."""

    mode: str
    way: SearchVariant
    space: EmbeddingSpace | None

    @property
    def limits(self) -> PoolLimits:
        return LIMITS[check_mode(self.mode)]

    @property
    def rules(self) -> DiscardRules:
        return self.way.ruled(RULES[check_mode(self.mode)])


async def search(
    text: str,
    *,
    history: Thread = (),
    lane: str | None = None,
    limit: int = 10,
    mode: str = Mode.AUTO,
    without: str = "",
    scope: str = "",
) -> list[dict[str, Any]]:
    """Return up to `limit` rows, best first; see lectorium.asking.search."""
    look = _SearchOptions(mode, variant_without(without), await in_thread(serving_space))
    viewer = await in_thread(operator, scope)
    plan, pool = await _looked_up(text, viewer, look, history)
    if lane:
        found = sorted(
            (candidate for candidate in pool.candidates if lane in candidate.lanes),
            key=lambda one: one.lanes[lane].rank,
        )
        return [_row(candidate) for candidate in found[:limit]]
    pool = await in_thread(read_and_bridge, plan, pool, viewer, look.rules, look.space)
    return [row for row in _rows(pool, select_candidates(plan, pool, look.rules)) if row["cut_by"] in SHOWN][:limit]


async def look_up(
    text: str, viewer: Viewer, *, limit: int, reader: str, address: str
) -> tuple[QueryPlan, list[Candidate]]:
    """Return the plan and up to `limit` passages that the viewer may see, best first, as `search` without the reader.

    It waits for a place among the turns, within the limits of the reader and of their network address. Raises Busy;
    Uncalibrated or ProviderError where the index cannot be searched now.
    """
    with admission_control().admitted(reader=reader, address=address):
        async with admission_control().working():
            return await _found_for(text, viewer, limit)


async def _found_for(text: str, viewer: Viewer, limit: int) -> tuple[QueryPlan, list[Candidate]]:
    look = _SearchOptions(Mode.AUTO, variant_without("reader"), await in_thread(serving_space))
    plan, pool = await _looked_up(text, viewer, look)
    pool = await in_thread(read_and_bridge, plan, pool, viewer, look.rules, look.space)
    selection = select_candidates(plan, pool, look.rules)
    found = [
        candidate for candidate in _ordered(pool, selection) if selection.cut.get(candidate.passage.chunk_id) in SHOWN
    ]
    return plan, found[:limit]


async def explain(
    text: str, *, history: Thread = (), mode: str = Mode.AUTO, without: str = "", scope: str = ""
) -> dict[str, Any]:
    """Return the plan, the whole pool and the gate's decision; see lectorium.asking.explain."""
    look = _SearchOptions(mode, variant_without(without), await in_thread(serving_space))
    viewer = await in_thread(operator, scope)
    plan, pool = await _looked_up(text, viewer, look, history)
    pool = await in_thread(read_and_bridge, plan, pool, viewer, look.rules, look.space)
    evidence = await in_thread(discard_candidates, plan, pool, look.rules, look.space)
    trace = trace_of(plan, pool, evidence)
    return {
        "plan": trace["plan"],
        "curated": trace["curated"],
        "rows": _rows(pool, select_candidates(plan, pool, look.rules)),
        "capped": await in_thread(_capped_rows, pool),
        "gate": trace["gate"],
    }


async def sift(
    text: str,
    *,
    history: Thread = (),
    beside: Sequence[Passage] = (),
    leaving: Collection[UUID] = (),
    without: str = "",
) -> dict[str, Any]:
    """Return what would be kept as evidence, and what of it quoted; see lectorium.asking.sift."""
    look = _SearchOptions(Mode.AUTO, variant_without(without), await in_thread(serving_space))
    viewer = await in_thread(operator)
    plan, pool = await _looked_up(text, viewer, look, history, places=len(beside))
    pool = (await in_thread(_found_first, plan, beside, look.space)).joined(pool, look.limits)
    pool = replace(
        pool, candidates=tuple(candidate for candidate in pool.candidates if candidate.passage.chunk_id not in leaving)
    )
    pool = await in_thread(read_and_bridge, plan, pool, viewer, look.rules, look.space)
    evidence = await in_thread(discard_candidates, plan, pool, look.rules, look.space)
    kept = [candidate for candidate in pool.candidates if candidate.passage.chunk_id not in evidence.cut]
    quotes = _quotes(evidence) if isinstance(evidence, Evidence) else []
    return {
        "kept": [list(candidate.passage.addresses) for candidate in kept],
        "quoted": [quote["address"] for quote in quotes],
        "quotes": quotes,
    }


def _quotes(evidence: Evidence) -> list[dict[str, Any]]:
    quotes = (
        (evidence.candidates[quote.passage].passage, quote) for quote in synthesize_quotes(evidence, QuotationRules())
    )
    return [
        {
            "chunk": passage.chunk_id,
            "address": passage.address_at(quote.span),
            "text": passage.text[slice(*quote.span)],
            "lead": quote.sentences[quote.lead or 0].text,
        }
        for passage, quote in quotes
    ]


async def _looked_up(
    text: str, viewer: Viewer, look: _SearchOptions, history: Thread = (), *, places: int = 0
) -> tuple[QueryPlan, Pool]:
    """Return the plan and its pool; `places` of the pool, and of what words force, are left to others."""
    thread = tuple(HistoryMessage(role, content) for role, content in history)
    plan = look.way.planned(
        await in_thread(plan_question, Question(text, viewer, check_mode(look.mode), history=thread))
    )
    whole = look.limits
    limits = replace(whole, cap=max(0, whole.cap - places), forced=max(0, whole.forced - places))
    return plan, await retrieve_candidates(plan, viewer, limits, look.space, look.way.pooling)


def _found_first(plan: QueryPlan, first: Sequence[Passage], space: EmbeddingSpace | None) -> Pool:
    """Return passages that nobody stored as if the sweeping lanes had found them before all others."""
    model = space_embedder(space)
    wordings = model.embed_questions([wording.text for wording in plan.wordings])
    cosines = model.embed_passages([text_to_embed(passage.text) for passage in first]) @ wordings.T
    similarity = {one.chunk_id: float(row.max()) for one, row in zip(first, cosines, strict=True)}
    texts = {passage.chunk_id: passage for passage in first}
    hits = [Hit(pk, lane, rank, similarity[pk]) for lane in sorted(SWEEPING) for rank, pk in enumerate(texts, 1)]
    found, _ = fuse(hits, replace(PoolLimits(), forced=len(first)))
    candidates = (
        Candidate(texts[one.chunk_id], one.fused, one.lanes, one.forced, similarity[one.chunk_id]) for one in found
    )
    return Pool(tuple(candidates), {})


def _rows(pool: Pool, selection: Selection) -> list[dict[str, Any]]:
    """Return a row a candidate, in order."""
    return [_row(candidate, selection.cut.get(candidate.passage.chunk_id)) for candidate in _ordered(pool, selection)]


def _ordered(pool: Pool, selection: Selection) -> list[Candidate]:
    """Return the candidates that are kept, then the next by rank, then what other rules cut."""
    by_rank = {chunk_id: rank for rank, (chunk_id, rule) in enumerate(selection.cut.items()) if rule == "top_k"}
    cut = [candidate for candidate in pool.candidates if candidate.passage.chunk_id in selection.cut]
    cut.sort(key=lambda one: by_rank.get(one.passage.chunk_id, len(selection.cut)))
    return [*selection.kept, *cut]


def _capped_rows(pool: Pool) -> list[dict[str, Any]]:
    """Return a row for each chunk that the pool's cap cut, the best fused first."""
    found = {hit.chunk_id: hit for hit in pool.capped}
    texts = passages(list(found))
    return [_row(Candidate(text, found[text.chunk_id].fused, found[text.chunk_id].lanes), "cap") for text in texts]


def _row(one: Candidate, cut: str | None = None) -> dict[str, Any]:
    return {
        "address": one.passage.address,
        "addresses": list(one.passage.addresses),
        "kind": one.passage.kind,
        "title": one.passage.title,
        "text": one.passage.text,
        **scores_of(one),
        **lanes_of(one),
        "forced": one.forced,
        "cut_by": cut,
    }
