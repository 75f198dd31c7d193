"""The map: a question's way to a cited answer or a refusal. Every choice of what comes next is made here.

    plan → find evidence → answer (write, quote, show the closest passage, or refuse) → check → record

Stages take and return values. `answer_question` yields the result after each, so a stopped or failed turn is recorded.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, replace

from chat.answering.answer_cache import find_cached, replay_answer
from chat.answering.answer_stream import AnswerStream
from chat.answering.bridge import with_bridges
from chat.answering.calibrations import MissingCalibration
from chat.answering.current_turn import CurrentTurn
from chat.answering.domain import refusals
from chat.answering.domain.answer import check_warnings, missing_addresses, stale_index
from chat.answering.domain.events import Fault, QuestionReadAs
from chat.answering.domain.evidence.conflicts import conflict_warnings
from chat.answering.domain.evidence.evidence import NEAR_MISSES, Abstention, Evidence, Reason
from chat.answering.domain.evidence.pool import Pool
from chat.answering.domain.evidence.quotation import QuotationRules, nearest_sentences
from chat.answering.domain.modes import DEGRADE, LIMITS, RULES, second_looks
from chat.answering.domain.question import Mode, QueryPlan
from chat.answering.domain.response import TurnResponse
from chat.answering.domain.writing_rules import ModeFailure, degraded_warning
from chat.answering.general_knowledge import answer_from_general_knowledge, may_answer_outside
from chat.answering.passages.recalled import found_place
from chat.answering.payloads import describe_reading, describe_search
from chat.answering.quoting import (
    finish_answer,
    passages_of,
    quote_evidence,
    quote_next,
    refuse_or_quote,
    refuse_or_show_closest,
    show_passages,
)
from chat.answering.replies.give import give_reply
from chat.answering.stages.compare import with_disagreements
from chat.answering.stages.consult import consult_facts
from chat.answering.stages.discard import discard_candidates
from chat.answering.stages.plan import plan_turn, refine
from chat.answering.stages.read import read_candidates
from chat.answering.stages.retrieve import retrieve_candidates
from chat.answering.stages.synthesize import chosen_clips
from chat.answering.turn_result import Look, RecordedAnswer, TurnResult, standalone_question
from chat.answering.versions import current_versions
from chat.answering.writing import accept_evidence, authors, write_answer
from corpus.models import EmbeddingSpace
from corpus.selectors import content_hashes
from lectorium.ladder.calls import collect_calls
from lectorium.ladder.read_once import shared_reads
from lectorium.logs import log_about
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

Record = Callable[[CurrentTurn, TurnResult], Awaitable[TurnResponse]]
Results = AsyncIterator[TurnResult]


async def answer_turn(turn: CurrentTurn, record: Record) -> RecordedAnswer:
    """Answer, check, record, and say `done`. Cancelling stops the work; what was shown by then is recorded."""
    log_about(turn=turn.turn_id, conversation=turn.conversation_id)
    collect_calls(turn.calls)
    with shared_reads():
        result = await answer_to_the_end(turn)
    turn.clock.stop()
    ending = asyncio.create_task(check_and_record(turn, result, record))
    while not ending.done():  # a stop comes too late now
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([ending])
    return ending.result()


async def answer_to_the_end(turn: CurrentTurn) -> TurnResult:
    """Return the last result, also of a turn that was stopped or that failed on its way."""
    stream, result = AnswerStream(turn), TurnResult()
    try:
        async for newest in answer_question(turn, stream):
            result = newest
    except asyncio.CancelledError:
        return result.stopped(stream.snapshot(), turn.sink.sent)
    except MissingCalibration as error:
        log.error("turn %s: %s", turn.turn_id, error)
        await turn.say(Fault("uncalibrated", refusals.UNCALIBRATED, retryable=False))
        fault = {"fault": "Uncalibrated", "cause": str(error)}
        return replace(result, fault=fault).failed(stream.snapshot(), refusals.UNCALIBRATED)
    except Exception as error:
        log.exception("turn %s failed", turn.turn_id)
        await turn.say(Fault("failed", refusals.FAILED, retryable=True))
        return replace(result, fault={"fault": type(error).__name__}).failed(stream.snapshot(), refusals.FAILED)
    return result


async def answer_question(turn: CurrentTurn, stream: AnswerStream) -> Results:
    """Plan, find evidence, and answer from it or refuse; yield the result after each stage."""
    with turn.clock.timed("plan"):
        await turn.status("plan", "reading your question")
        plan = await plan_turn(turn.question, turn.key)
        turn.clock.add("route", sum(call.seconds for call in turn.calls if call.served.job == "route"))
        yield (result := TurnResult(plan=plan))
        # the space of this turn, even if another is switched to meanwhile
        space, versions = await in_thread(current_versions, multilingual=bool(plan.unread))
        if plan.place:
            plan = replace(plan, place=await in_thread(found_place, plan.place, turn.question.viewer, space))
        result = replace(result, plan=plan, versions=versions)

    if plan.reply:
        yield await give_reply(turn, result, plan.reply, space)
        return
    if plan.read_as:
        await turn.say(QuestionReadAs(**asdict(plan.read_as)))
    if plan.continues and (next_clip := await quote_next(turn, result, stream)):
        yield next_clip
        return
    if cached := await find_cached(turn, result):
        yield (result := replace(result, cached=str(cached.response.id)))
        yield await replay_answer(turn, result, cached, stream)
        return

    async for look in find_evidence(turn, plan, space):
        yield (result := result.after(look))
    evidence = await accept_evidence(turn, look.evidence)
    result = await consult_editors(turn, result, evidence)
    result = await compare_sources(turn, result, evidence)
    yield result
    if isinstance(evidence, Evidence):
        async for newest in answer_from_evidence(turn, result, evidence, stream):
            yield newest
        return
    outside = may_answer_outside(turn.question, evidence)
    if outside and (general := await answer_from_general_knowledge(turn, result, stream)):
        yield general
    else:
        yield await refuse_or_show_closest(turn, result, evidence, stream)


async def find_evidence(turn: CurrentTurn, plan: QueryPlan, space: EmbeddingSpace | None) -> AsyncIterator[Look]:
    """Retrieve and discard; while the evidence is near but thin, look once more in other words (CRAG).

    Yield each look. A second look that finds nothing new is dropped, and ends the search.
    """
    pool, viewer = Pool((), {}), turn.question.viewer
    limits, rules = LIMITS[turn.question.mode], RULES[turn.question.mode]
    for number in range(1 + second_looks(turn.question.mode, plan.route)):
        with turn.clock.timed("retrieve"):
            await turn.status("retrieve", await in_thread(describe_search, viewer))
            wider = pool.joined(await retrieve_candidates(plan, viewer, limits, space), limits)
        if number and wider.chunk_ids <= pool.chunk_ids:
            return
        with turn.clock.timed("discard"):
            await turn.status("discard", describe_reading(len(wider.candidates)))
            pool = await in_thread(read_candidates, plan, wider, rules)
            pool = await in_thread(with_bridges, plan, pool, viewer, rules, space)
            evidence = await in_thread(discard_candidates, plan, pool, rules, space)
        yield Look(plan, pool, evidence)
        unsure = isinstance(evidence, Abstention) and evidence.reason in NEAR_MISSES and not plan.unread
        refined = refine(plan, nearest_sentences(evidence.sentences, QuotationRules())) if unsure else None
        if refined is None:
            return
        plan = refined


async def consult_editors(turn: CurrentTurn, result: TurnResult, evidence: Evidence | Abstention) -> TurnResult:
    """Add the editors' facts about the evidence, where its sources disagree, and which named address is missing."""
    shown = evidence if isinstance(evidence, Evidence) else evidence.closest
    if shown:
        with turn.clock.timed("discard"):
            result = replace(result, known=await in_thread(consult_facts, shown, turn.question.viewer))
    if isinstance(evidence, Evidence) and result.plan:
        result = result.warned(*missing_addresses(result.plan.address_faults))
    return result


async def compare_sources(turn: CurrentTurn, result: TurnResult, evidence: Evidence | Abstention) -> TurnResult:
    """Add where the sources that would be quoted say opposite things."""
    shown = evidence if isinstance(evidence, Evidence) else evidence.closest
    if shown is None:
        return result
    asked = standalone_question(turn, result)
    with turn.clock.timed("discard"):
        quotes = chosen_clips(evidence)
        known = await in_thread(with_disagreements, result.known, quotes, passages_of(shown), asked)
    return replace(result, known=known)


async def answer_from_evidence(
    turn: CurrentTurn, result: TurnResult, evidence: Evidence, stream: AnswerStream
) -> Results:
    """Answer in the mode asked for, or in the next lower one that can; the last is the passages themselves.

    Thin evidence is neither quoted nor shown as found: only an answer written from an outline, and proved, may use it.
    """
    spent: set[str] = set()
    for mode in DEGRADE[turn.question.mode]:
        try:
            async for newest in answer_in_mode(turn, result, evidence, stream, mode, spent):
                yield (result := newest)
            if result.outcome:
                return
        except ModeFailure as fault:
            result = result.warned(degraded_warning(mode.value, fault.reason))
        except Exception:
            log.exception("turn %s: mode %s failed", turn.turn_id, mode)
            result = result.warned(degraded_warning(mode.value, "failed"))
        if stream.has_begun:  # nothing shown is taken back: the turn ends with what was verified
            yield await finish_answer(turn, result, stream, complete=False)
            return
        stream.dropped = {}  # nothing that this mode wrote is part of the answer
        yield result
    if evidence.is_thin:
        yield await refuse_or_quote(turn, result, evidence, Reason.THIN_EVIDENCE, stream)
    else:
        yield await show_passages(turn, result, evidence, stream)


async def answer_in_mode(
    turn: CurrentTurn, result: TurnResult, evidence: Evidence, stream: AnswerStream, mode: Mode, spent: set[str]
) -> Results:
    """Quote in instant mode, else let a model write; yield nothing where the mode has no way to answer.

    A question for a verse is answered by the verse in every mode, and a pinned question by the pin. Raises ModeFailure.
    """
    if mode is Mode.INSTANT or evidence.pinned:
        if not evidence.is_thin:
            yield await quote_evidence(turn, result, evidence, stream)
    elif not evidence.is_only_addressed and (models := await authors(turn, spent)):
        async for newest in write_answer(turn, result, evidence, stream, mode, models, spent):
            yield newest


async def check_and_record(turn: CurrentTurn, result: TurnResult, record: Record) -> RecordedAnswer:
    """Warn of changed sources, failed checks and sources that disagree; record, and say that the turn is over."""
    shown = result.shown
    current = await in_thread(content_hashes, [cited.chunk_id for cited in shown.citations]) if shown.citations else {}
    result = result.warned(
        *stale_index(shown.citations, current),
        *check_warnings(shown.sentences, shown.withheld, shown.dropped),
        *conflict_warnings(result.conflicts, shown.citations),
    )
    response = await record(turn, result)
    await turn.say(response.done)
    return RecordedAnswer(result, response)
