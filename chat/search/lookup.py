"""Retrieval without an answer: for the search page, the API, commands and evaluation."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from chat.answering.ask import operator
from chat.answering.bridge import read_and_bridge
from chat.answering.calibrations import calibration_of
from chat.answering.domain.evidence.evidence import Abstention, Evidence
from chat.answering.domain.evidence.pool import SWEEPING, Candidate, Hit, Pool, PoolLimits, fuse
from chat.answering.domain.evidence.quotation import QuotationRules
from chat.answering.domain.evidence.selection import DiscardRules, Selection
from chat.answering.domain.modes import LIMITS, RULES
from chat.answering.domain.query.checks import check_mode
from chat.answering.domain.question import HistoryMessage, Mode, QueryPlan, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.passages.copies import without_copied_passages
from chat.answering.payloads import lanes_of, scores_of, trace_of
from chat.answering.stages.discard import discard_candidates, select_candidates
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import retrieve_candidates
from chat.answering.stages.synthesize import closest_clips, synthesize_quotes
from chat.live.admission import admission_control
from chat.live.budgets import search_count
from chat.search.parts import SearchVariant, variant_without
from corpus.domain.embedded import text_to_embed
from corpus.domain.passage import Passage
from corpus.models import EmbeddingSpace
from corpus.selectors import passages, serving_space, space_embedder
from lectorium.threads import in_thread

LANES = ("dense", "sentence", "lexical", "spelling", "address", "curated", "neighbourhood")
SHOWN_CUTS = (None, "top_k")  # kept candidates, and those beyond top_k, which only lacked room
Thread = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _SearchOptions:
    """The rules and limits of a search: those of a turn in this mode, adjusted by the variant."""

    mode: str
    variant: SearchVariant
    space: EmbeddingSpace | None

    @property
    def limits(self) -> PoolLimits:
        return LIMITS[check_mode(self.mode)]

    @property
    def rules(self) -> DiscardRules:
        return self.variant.adjusted_rules(RULES[check_mode(self.mode)])


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
    """See lectorium.asking.search."""
    options = _SearchOptions(mode, variant_without(without), await in_thread(serving_space))
    viewer = await in_thread(operator, scope)
    plan, pool = await _retrieved(text, viewer, options, history)
    if lane:
        found = sorted(
            (candidate for candidate in pool.candidates if lane in candidate.lanes),
            key=lambda candidate: candidate.lanes[lane].rank,
        )
        return [_row(candidate) for candidate in found[:limit]]
    pool = await in_thread(read_and_bridge, plan, pool, viewer, options.rules, options.space)
    selection = select_candidates(plan, pool, options.rules)
    return [_row(candidate, _cut_by(selection, candidate)) for candidate in _shown(pool, selection)[:limit]]


async def look_up(
    text: str, viewer: Viewer, *, limit: int, reader: str, address: str, session: str = ""
) -> tuple[QueryPlan, list[Candidate]]:
    """The plan, and up to `limit` passages that the viewer may see, best first. Does not run the reader model.

    Counts toward the hour's searches and waits for admission like a turn; the limits of the reader and of the network
    address apply. session: whose searches under way are counted together instead of the reader's. Raises TooManyTurns;
    MissingCalibration or ProviderError if the index cannot be searched.
    """
    await in_thread(search_count, reader=reader, address=address)
    with admission_control().admitted(reader=session or reader, address=address):
        async with admission_control().working():
            return await _found_passages(text, viewer, limit)


async def _found_passages(text: str, viewer: Viewer, limit: int) -> tuple[QueryPlan, list[Candidate]]:
    options = _SearchOptions(Mode.AUTO, variant_without("reader"), await in_thread(serving_space))
    plan, pool = await _retrieved(text, viewer, options)
    pool = await in_thread(read_and_bridge, plan, pool, viewer, options.rules, options.space)
    return plan, _shown(pool, select_candidates(plan, pool, options.rules))[:limit]


async def explain(
    text: str, *, history: Thread = (), mode: str = Mode.AUTO, without: str = "", scope: str = ""
) -> dict[str, Any]:
    """See lectorium.asking.explain."""
    options = _SearchOptions(mode, variant_without(without), await in_thread(serving_space))
    viewer = await in_thread(operator, scope)
    plan, pool = await _retrieved(text, viewer, options, history)
    pool = await in_thread(read_and_bridge, plan, pool, viewer, options.rules, options.space)
    evidence = await in_thread(discard_candidates, plan, pool, options.rules, options.space)
    trace = trace_of(plan, pool, evidence)
    return {
        "plan": trace["plan"],
        "curated": trace["curated"],
        "rows": _rows(pool, select_candidates(plan, pool, options.rules)),
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
    """See lectorium.asking.sift."""
    options = _SearchOptions(Mode.AUTO, variant_without(without), await in_thread(serving_space))
    viewer = await in_thread(operator)
    plan, pool = await _retrieved(text, viewer, options, history, beside)
    pool = replace(
        pool, candidates=tuple(candidate for candidate in pool.candidates if candidate.passage.chunk_id not in leaving)
    )
    pool = await in_thread(read_and_bridge, plan, pool, viewer, options.rules, options.space)
    evidence = await in_thread(discard_candidates, plan, pool, options.rules, options.space)
    kept = [candidate for candidate in pool.candidates if candidate.passage.chunk_id not in evidence.cut]
    quotes = _quotes(evidence) if isinstance(evidence, Evidence) else []
    closest = evidence.closest if isinstance(evidence, Abstention) else None
    return {
        "kept": [list(candidate.passage.addresses) for candidate in kept],
        "quoted": [quote["address"] for quote in quotes],
        "quotes": quotes,
        "closest": _closest_addresses(closest) if closest else [],
    }


def _closest_addresses(evidence: Evidence) -> list[str]:
    clips = closest_clips(evidence, QuotationRules())
    return [evidence.candidates[clip.passage].passage.address_at(clip.span) for clip in clips]


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


async def _retrieved(
    text: str, viewer: Viewer, options: _SearchOptions, history: Thread = (), beside: Sequence[Passage] = ()
) -> tuple[QueryPlan, Pool]:
    """The plan and its pool. beside: unstored passages that take places in it, as if every lane found them first."""
    thread = tuple(HistoryMessage(role, content) for role, content in history)
    plan = options.variant.adjusted_plan(
        await in_thread(plan_question, Question(text, viewer, check_mode(options.mode), history=thread))
    )
    first, full = await in_thread(_unstored_pool, plan, beside, options), options.limits
    places = len(first.candidates)
    limits = replace(full, cap=max(0, full.cap - places), forced=max(0, full.forced - places))
    found = await retrieve_candidates(plan, viewer, limits, options.space, options.variant.pooling)
    return plan, first.joined(found, full) if places else found


def _unstored_pool(plan: QueryPlan, first: Sequence[Passage], options: _SearchOptions) -> Pool:
    """A pool of passages that are not stored, as if the lanes had found them first; copies take no places, as in
    `retrieve_candidates`."""
    if not first:
        return Pool((), {})
    model = space_embedder(options.space)
    wordings = model.embed_questions([wording.text for wording in plan.wordings])
    vectors = model.embed_passages([text_to_embed(passage.text) for passage in first])
    vector = {passage.chunk_id: row.tolist() for passage, row in zip(first, vectors, strict=True)}
    cosines = vectors @ wordings.T
    similarity = {passage.chunk_id: float(row.max()) for passage, row in zip(first, cosines, strict=True)}
    by_id = {passage.chunk_id: passage for passage in first}
    hits = [Hit(pk, lane, rank, similarity[pk]) for lane in sorted(SWEEPING) for rank, pk in enumerate(by_id, 1)]
    found, _ = fuse(hits, replace(PoolLimits(), forced=len(first)))
    candidates = (
        Candidate(by_id[pk], hit.fused, hit.lanes, hit.forced, similarity[pk], vector=vector[pk])
        for pk, hit in ((hit.chunk_id, hit) for hit in found)
    )
    scale = calibration_of(options.space).passage if options.variant.pooling.once else None
    pool = Pool(tuple(candidates), {}, scale=scale)
    return without_copied_passages(pool, pool.candidates, plan.asked)


def _rows(pool: Pool, selection: Selection) -> list[dict[str, Any]]:
    return [_row(candidate, _cut_by(selection, candidate)) for candidate in _ordered(pool, selection)]


def _shown(pool: Pool, selection: Selection) -> list[Candidate]:
    return [candidate for candidate in _ordered(pool, selection) if _cut_by(selection, candidate) in SHOWN_CUTS]


def _cut_by(selection: Selection, candidate: Candidate) -> str | None:
    return selection.cut.get(candidate.passage.chunk_id)


def _ordered(pool: Pool, selection: Selection) -> list[Candidate]:
    """The kept candidates, then those beyond top_k by rank, then those that other rules cut."""
    by_rank = {chunk_id: rank for rank, (chunk_id, rule) in enumerate(selection.cut.items()) if rule == "top_k"}
    cut = [candidate for candidate in pool.candidates if candidate.passage.chunk_id in selection.cut]
    cut.sort(key=lambda candidate: by_rank.get(candidate.passage.chunk_id, len(selection.cut)))
    return [*selection.kept, *cut]


def _capped_rows(pool: Pool) -> list[dict[str, Any]]:
    """A row for each copy, and for each chunk beyond the pool's cap, highest fused score first."""
    cut = {hit.chunk_id: (hit, rule) for found, rule in ((pool.copies, "copy"), (pool.capped, "cap")) for hit in found}
    hits = ((passage, *cut[passage.chunk_id]) for passage in passages(list(cut)))
    return [_row(Candidate(passage, hit.fused, hit.lanes), rule) for passage, hit, rule in hits]


def _row(candidate: Candidate, cut: str | None = None) -> dict[str, Any]:
    passage = candidate.passage
    return {
        "address": passage.address,
        "addresses": list(passage.addresses),
        "kind": passage.kind,
        "title": passage.title,
        "text": passage.text,
        **scores_of(candidate),
        **lanes_of(candidate),
        "forced": candidate.forced,
        "cut_by": cut,
    }
