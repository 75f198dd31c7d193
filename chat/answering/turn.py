"""The map: one question's way to a cited answer or a refusal. Every choice of what comes next is made here."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from uuid import uuid4

from django.conf import settings

from chat.answering.attempt import Attempt, begin_attempt
from chat.answering.bridge import read_and_bridge
from chat.answering.calibrations import MissingCalibration
from chat.answering.domain import refusals
from chat.answering.domain.answer import check_warnings, missing_addresses, stale_index
from chat.answering.domain.events import Fault
from chat.answering.domain.evidence.conflicts import FactRules, conflict_warnings, with_both_sides, with_other_sides
from chat.answering.domain.evidence.evidence import Abstention, Evidence, Reason
from chat.answering.domain.evidence.pool import Pool
from chat.answering.domain.evidence.quotation import QuotationRules, nearest_sentences
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.footnotes import compact, mint
from chat.answering.domain.modes import DEGRADE, LIMITS, RULES, SECOND_LOOKS
from chat.answering.domain.question import Mode, QueryPlan, Route
from chat.answering.domain.writing_rules import ModeFailure
from chat.answering.follow_ups import add_follow_ups
from chat.answering.general_knowledge import answer_from_general_knowledge
from chat.answering.journal import Journal, discard_event
from chat.answering.payloads import describe_reading, describe_search, known_trace, trace_of
from chat.answering.presentation import finish_answer, show_notice, show_passages
from chat.answering.quoting import quote_evidence, quote_next, refuse_or_quote, refuse_or_show_closest
from chat.answering.stages.consult import consult_facts
from chat.answering.stages.discard import discard_candidates
from chat.answering.stages.plan import plan_question, plan_turn, refine
from chat.answering.stages.retrieve import retrieve_candidates
from chat.answering.stages.write import outline_notes
from chat.answering.validated_cache import replay_answer, store_answer
from chat.answering.versions import current_versions
from chat.answering.writing import authors, may_outline, write_draft
from chat.models import Turn
from corpus.models import EmbeddingSpace
from corpus.selectors import content_hashes, serving_space
from lectorium.ladder.calls import collect_calls
from lectorium.ladder.selectors import ResolvedModel
from lectorium.logs import log_about
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

Record = Callable[[Journal], Awaitable[None]]


async def run_turn(journal: Journal, record: Record) -> None:
    """Take a turn to its recorded end, whatever happens: an interrupted or a failed turn is recorded as such.

    Cancelling stops the work; what was shown by then stays, and the turn still ends with its `done`.
    """
    log_about(turn=journal.turn_id, conversation=journal.conversation_id)
    collect_calls(journal.calls)
    try:
        await answer_question(journal)
    except asyncio.CancelledError:
        if journal.outcome == Turn.Outcome.CLOSEST_PASSAGE and journal.sentences:
            journal.complete = False  # the notice stays with the passage that it introduces
        else:
            journal.conclude(Turn.Outcome.INTERRUPTED, message="Stopped.", complete=False)
    except MissingCalibration as error:
        log.error("turn %s: %s", journal.turn_id, error)
        journal.trace |= {"fault": "Uncalibrated", "cause": str(error)}
        journal.conclude(Turn.Outcome.FAILED, message=refusals.UNCALIBRATED, complete=False)
        await journal.say(Fault("uncalibrated", refusals.UNCALIBRATED, retryable=False))
    except Exception as error:
        log.exception("turn %s failed", journal.turn_id)
        journal.trace["fault"] = type(error).__name__
        journal.conclude(Turn.Outcome.FAILED, message=refusals.FAILED, complete=False)
        await journal.say(Fault("failed", refusals.FAILED, retryable=True))
    if journal.citations:
        current = await in_thread(content_hashes, [cited.chunk_id for cited in journal.citations])
        journal.warnings += stale_index(journal.citations, current)
    journal.warnings += check_warnings(journal.sentences, journal.withheld, journal.dropped)
    journal.warnings += conflict_warnings(journal.conflicts, journal.citations)
    if journal.citations and journal.complete and "cached" not in journal.trace:
        await suggest_follow_ups(journal)
    await asyncio.shield(record(journal))  # a disconnect right after a stop must not lose the record
    await store_answer(journal)
    await journal.say(journal.done())


async def suggest_follow_ups(journal: Journal) -> None:
    """Add a title and next questions; who stops the turn now stops only this, the answer stands."""

    async def is_answerable(text: str) -> bool:
        question = replace(journal.question, text=text, mode=Mode.INSTANT, history=())
        probe = Journal(uuid4(), journal.conversation_id, question, discard_event)
        plan, space = await in_thread(plan_question, question), await in_thread(serving_space)
        return plan.route is not Route.UNDERSPECIFIED and isinstance(await find_evidence(probe, plan, space), Evidence)

    with contextlib.suppress(asyncio.CancelledError):
        await add_follow_ups(journal, is_answerable)


async def answer_question(journal: Journal) -> None:
    """Plan, retrieve, discard, synthesize, verify: each stage's value goes to the next, or ends the turn."""
    question = journal.question
    with journal.timed("plan"):
        await journal.status("plan", "reading your question")
        plan = journal.plan = await plan_turn(question, str(journal.turn_id))
        journal.spent("route", sum(call.seconds for call in journal.calls if call.served.job == "route"))
        # the space of this turn, whatever is switched meanwhile
        space, journal.versions = await in_thread(current_versions)

    if plan.route is Route.NO_RETRIEVAL:
        return await show_notice(journal, Turn.Outcome.NO_RETRIEVAL, "greeting", refusals.small_talk(question.text))
    if plan.route is Route.UNDERSPECIFIED:
        return await show_notice(journal, Turn.Outcome.ASKED_BACK, "ask_back", refusals.ASK_BACK)
    if (plan.continues and await quote_next(journal, space)) or await replay_answer(journal):
        return None

    evidence = await find_evidence(journal, plan, space)
    if isinstance(evidence, Abstention):
        outlined = evidence.thin and await may_outline(journal)
        evidence = (evidence.thin if outlined else evidence.addressed) or evidence
    if isinstance(evidence, Evidence):
        await add_known(journal, evidence)
        journal.warnings += missing_addresses(plan.address_faults)
        return await answer_from_evidence(journal, evidence)
    if evidence.closest:
        await add_known(journal, evidence.closest)
    outside = evidence.reason is Reason.OUTSIDE_CORPUS and not evidence.detail and question.mode is not Mode.INSTANT
    if outside and settings.OUT_OF_CORPUS and await answer_from_general_knowledge(journal):
        return None
    return await refuse_or_show_closest(journal, evidence)


async def add_known(journal: Journal, evidence: Evidence) -> None:
    """Add the editors' facts about the evidence, and where its sources disagree."""
    with journal.timed("discard"):
        known = await in_thread(consult_facts, evidence, journal.question.viewer)
    journal.background, journal.conflicts = journal.background + known.background(FactRules()), known.conflicts
    journal.trace |= known_trace(known)


async def find_evidence(journal: Journal, plan: QueryPlan, space: EmbeddingSpace | None) -> Evidence | Abstention:
    """Retrieve and discard; while the evidence is near but thin, look once more in other words (CRAG).

    A look that finds nothing new is the last.
    """
    pool, viewer = Pool((), {}), journal.question.viewer
    limits, rules = LIMITS[journal.question.mode], RULES[journal.question.mode]
    for look in range(1 + SECOND_LOOKS[journal.question.mode]):
        with journal.timed("retrieve"):
            await journal.status("retrieve", await in_thread(describe_search, viewer))
            wider = pool.joined(await retrieve_candidates(plan, viewer, limits, space), limits)
        if look and wider.chunk_ids <= pool.chunk_ids:
            break
        with journal.timed("discard"):
            await journal.status("discard", describe_reading(len(wider.candidates)))
            pool = await in_thread(read_and_bridge, plan, wider, viewer, rules, space)
            evidence = await in_thread(discard_candidates, plan, pool, rules, space)
        journal.looked(trace_of(plan, pool, evidence))
        journal.plan, journal.background = plan, pool.background
        again = isinstance(evidence, Abstention) and evidence.reason is Reason.UNANSWERABLE
        refined = refine(plan, nearest_sentences(evidence.sentences, QuotationRules())) if again else None
        if refined is None:
            break
        plan = refined
    return evidence


async def answer_from_evidence(journal: Journal, evidence: Evidence) -> None:
    """Answer in the mode asked for, or in the next lower one that can; the last is the passages themselves.

    Thin evidence is neither quoted nor shown as found: only what is written from an outline, and proved.
    """
    spent: set[str] = set()
    for mode in DEGRADE[journal.question.mode]:
        try:
            if mode is Mode.INSTANT and evidence.is_thin:
                break
            if mode is Mode.INSTANT:
                return await quote_evidence(journal, evidence)
            if evidence.is_only_addressed:
                continue  # who asks for a verse is answered by the verse
            if served := await authors(journal, spent):
                async with begin_attempt(journal, mode, evidence) as attempt:
                    return await write_answer(journal, evidence, attempt, served, spent)
        except ModeFailure as fault:
            journal.degrade(mode, fault.reason)
        except Exception:
            log.exception("turn %s: mode %s failed", journal.turn_id, mode)
            journal.degrade(mode, "failed")
        if journal.sentences:  # nothing shown is taken back: the turn ends with what was verified
            return await finish_answer(journal, complete=False)
    if evidence.is_thin:
        return await refuse_or_quote(journal, evidence, Reason.THIN_EVIDENCE)
    journal.chance = evidence.coverage
    await show_passages(journal, [candidate.passage for candidate in evidence.candidates[: DiscardRules().nearest]])
    return await finish_answer(journal, complete=False)


async def write_answer(
    journal: Journal, evidence: Evidence, attempt: Attempt, served: Sequence[ResolvedModel], spent: set[str]
) -> None:
    """Let a model write: outline, text, checks, and only what passes is shown. Raises ModeFailure where it cannot."""
    with journal.timed("synthesize"):
        await journal.status("synthesize", "choosing the notes that answer")
        ranked = [candidate.passage for candidate in evidence.candidates[: attempt.rules.notes]]
        notes = mint(with_both_sides(ranked, journal.conflicts))
        outline = await outline_notes(journal.standalone, notes, str(journal.turn_id))
        stands = outline.formed if evidence.is_thin else outline.used
        journal.trace["outline"] = outline.as_dict(notes) | ({"decided": bool(stands)} if evidence.is_thin else {})
        if not stands:
            return await refuse_or_quote(
                journal, evidence, Reason.THIN_EVIDENCE if evidence.is_thin else Reason.EMPTY_OUTLINE
            )
        attempt.notes = compact(notes, with_other_sides(outline.used, notes, journal.conflicts))
        attempt.theses = outline.renumbered()
        await journal.status("synthesize", "writing, and checking each sentence")
        draft = await write_draft(attempt, served, spent)
    if draft.abstained and not journal.sentences and not attempt.passed:
        return await refuse_or_quote(journal, evidence, Reason.MODEL_ABSTAINED)
    if not attempt.settle():
        return await refuse_or_quote(journal, evidence, Reason.UNSUPPORTED_CLAIMS)
    if attempt.whole and attempt.passed and attempt.confidence < attempt.rules.confidence_floor:
        raise ModeFailure("low_confidence")
    if not journal.sentences and not attempt.passed:
        if not attempt.cited:
            raise ModeFailure("babble")
        attempt.pending = [sentence for sentence in attempt.pending if sentence.withheld]
        await attempt.release()
        return await refuse_or_quote(journal, evidence, Reason.UNSUPPORTED_CLAIMS)
    await attempt.release()
    if journal.validation()["confidence"] < attempt.rules.confidence_floor:
        raise ModeFailure("weakly_supported")  # what is shown stays
    return await finish_answer(journal)
