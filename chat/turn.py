"""The map: one question's way to a cited answer or a refusal. Every choice of what comes next is made here."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from chat.domain import refusals
from chat.domain.answer import stale_index
from chat.domain.events import Fault, Notice, SentenceWithheld, Sources
from chat.domain.evidence import Abstention, Evidence, Reason
from chat.domain.pool import Pool, PoolLimits
from chat.domain.question import Mode, QueryPlan, Route
from chat.domain.quotation import QuotationRules, nearest_sentences
from chat.domain.selection import DiscardRules
from chat.journal import Journal
from chat.models import Turn
from chat.presenting import refusal_event, searched, sentence_events, source_item, trace_of
from chat.stages.discard import discard
from chat.stages.plan import plan_question, refine
from chat.stages.read import read
from chat.stages.retrieve import retrieve
from chat.stages.synthesize import synthesize
from chat.stages.verify import verify_quote
from chat.versions import versions
from corpus.models import EmbeddingSpace
from corpus.selectors import content_hashes, serving_space
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

LIMITS = {Mode.INSTANT: PoolLimits(cap=32), Mode.AUTO: PoolLimits(cap=60), Mode.THINKING: PoolLimits(cap=150)}
RULES = {Mode.INSTANT: DiscardRules(), Mode.AUTO: DiscardRules(), Mode.THINKING: DiscardRules(top_k=20, read=60)}
SECOND_LOOKS = {Mode.INSTANT: 0, Mode.AUTO: 1, Mode.THINKING: 3}

Record = Callable[[Journal], Awaitable[None]]


async def conduct(journal: Journal, record: Record) -> None:
    """Take a turn to its recorded end, whatever happens: an interrupted or a failed turn is recorded as such.

    Cancelling stops the work; what was shown by then stays, and the turn still ends with its `done`.
    """
    try:
        await take(journal)
    except asyncio.CancelledError:
        journal.conclude(Turn.Outcome.INTERRUPTED, message="Stopped.", complete=False)
    except Exception:
        log.exception("turn %s failed", journal.turn_id)
        message = "Something went wrong on our side. Your question is kept; please ask it again."
        journal.conclude(Turn.Outcome.FAILED, message=message, complete=False)
        await journal.say(Fault("failed", message, retryable=True))
    await asyncio.shield(record(journal))  # a disconnect right after a stop must not lose the record
    await journal.say(journal.done())


async def take(journal: Journal) -> None:
    """Plan, retrieve, discard, synthesize, verify: each stage's value goes to the next, or ends the turn."""
    question = journal.question
    with journal.timed("plan"):
        await journal.status("plan", "reading your question")
        plan = journal.plan = await in_thread(plan_question, question)
        space = await in_thread(serving_space)  # the one space of this turn, whatever is switched meanwhile
        journal.versions = await in_thread(versions, space)

    if plan.route is Route.NO_RETRIEVAL:
        return await reply(journal, Turn.Outcome.NO_RETRIEVAL, "greeting", refusals.GREETING)
    if plan.route is Route.UNDERSPECIFIED:
        return await reply(journal, Turn.Outcome.ASKED_BACK, "ask_back", refusals.ASK_BACK)

    evidence = await gather(journal, plan, space)
    if isinstance(evidence, Abstention):
        return await refuse(journal, evidence)
    return await answer(journal, evidence)


async def gather(journal: Journal, plan: QueryPlan, space: EmbeddingSpace | None) -> Evidence | Abstention:
    """Retrieve and discard; while the evidence is near but thin, look once more in other words (CRAG).

    A look that finds nothing new is the last.
    """
    pool = Pool((), {})
    for look in range(1 + SECOND_LOOKS[journal.question.mode]):
        with journal.timed("retrieve"):
            await journal.status("retrieve", await in_thread(searched, journal.question.viewer))
            found = await retrieve(plan, journal.question.viewer, LIMITS[journal.question.mode], space)
            wider = pool.joined(found)
        if look and len(wider.candidates) == len(pool.candidates):
            break
        with journal.timed("discard"):
            await journal.status("discard", f"reading {_passages(len(wider.candidates))}")
            pool = await in_thread(read, plan, wider, RULES[journal.question.mode])
            evidence = await in_thread(discard, plan, pool, RULES[journal.question.mode], space)
        journal.plan, journal.trace = plan, trace_of(plan, pool, evidence)
        again = isinstance(evidence, Abstention) and evidence.reason is Reason.UNANSWERABLE
        refined = refine(plan, nearest_sentences(evidence.sentences, QuotationRules())) if again else None
        if refined is None:
            break
        plan = refined
    return evidence


def _passages(number: int) -> str:
    return f"{number} passage" if number == 1 else f"{number} passages"


async def answer(journal: Journal, evidence: Evidence) -> None:
    """Quote the evidence, show where from, then each sentence once its quote has been checked."""
    with journal.timed("synthesize"):
        await journal.status("synthesize", "choosing the sentences that answer")
        quotes = synthesize(evidence, QuotationRules())
    if not quotes:
        return await refuse(journal, without_answer(evidence, Reason.THIN_EVIDENCE))
    passages = [one.passage for one in evidence.candidates]
    await journal.say(Sources(tuple(source_item(passages[quote.passage], quote.span) for quote in quotes)))
    await journal.status("verify", "checking every quotation against its source")
    for paragraph, quote in enumerate(quotes):
        with journal.timed("verify"):
            checked = verify_quote(quote, passages[quote.passage])
        if checked.withheld:
            journal.withheld.append(checked.withheld)
            await journal.say(SentenceWithheld(checked.withheld.reason, checked.withheld.verdict))
            continue
        for event in sentence_events(journal, quote, passages[quote.passage], paragraph):
            await journal.say(event)
    if not journal.sentences:
        return await refuse(journal, without_answer(evidence, Reason.UNSUPPORTED_CLAIMS))
    current = await in_thread(content_hashes, [cited.chunk_id for cited in journal.citations])
    journal.warnings += stale_index(journal.citations, current)
    return journal.conclude(Turn.Outcome.PARTIALLY_GROUNDED if journal.withheld else Turn.Outcome.GROUNDED)


def without_answer(evidence: Evidence, reason: Reason) -> Abstention:
    """Return the refusal of a turn whose evidence passed the gate but left nothing to show."""
    nearest = evidence.candidates[: DiscardRules().nearest]
    return Abstention(reason, nearest, evidence.sentences, evidence.coverage, evidence.signals)


async def refuse(journal: Journal, abstention: Abstention) -> None:
    """Say why there is no answer, what was searched and what was nearest. No citation."""
    detail = await in_thread(searched, journal.question.viewer)
    event = refusal_event(abstention, detail)
    journal.nearest, journal.searched, journal.next_step = list(event.nearest), event.searched, event.next_step
    journal.conclude(Turn.Outcome.REFUSED, reason=abstention.reason.value, message=event.message)
    await journal.say(event)


async def reply(journal: Journal, outcome: Turn.Outcome, kind: str, message: str) -> None:
    """Answer without looking anything up: no claims, no citations."""
    journal.conclude(outcome, message=message)
    await journal.say(Notice(kind, message))
