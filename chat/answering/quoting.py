"""Ends a turn in the sources' own words: an answer, the closest passage, or a refusal where nothing may be quoted."""

from chat.answering.domain.evidence.continuation import ContinuationRules
from chat.answering.domain.evidence.evidence import Abstention, Evidence, Reason
from chat.answering.domain.evidence.quotation import QuotationRules
from chat.answering.domain.question import Mode
from chat.answering.domain.refusals import end_of_source, without_answer
from chat.answering.journal import Journal
from chat.answering.presentation import finish_answer, show_closest, show_notice, show_quotes, show_refusal
from chat.answering.stages.read_on import read_on
from chat.answering.stages.synthesize import closest_clip, leaves_out, synthesize_quotes
from chat.models import Turn
from corpus.models import EmbeddingSpace
from lectorium.threads import in_thread


async def quote_evidence(journal: Journal, evidence: Evidence) -> None:
    """Quote the evidence, show where from, then each sentence once its quote has been checked."""
    with journal.timed("synthesize"):
        await journal.status("synthesize", "choosing the sentences that answer")
        quotes = synthesize_quotes(evidence, QuotationRules())
    if not quotes:
        return await show_refusal(journal, without_answer(evidence, Reason.THIN_EVIDENCE))
    only_asked = all(sentence.asked for quote in quotes for sentence in quote.sentences)
    journal.chance = 1.0 if only_asked else evidence.coverage
    await show_quotes(journal, quotes, [candidate.passage for candidate in evidence.candidates])
    if not journal.sentences:
        return await show_refusal(journal, without_answer(evidence, Reason.UNSUPPORTED_CLAIMS))
    if more := leaves_out(evidence, quotes):
        journal.degrade(Mode.INSTANT, "more_stands_there")
    if evidence.is_only_addressed and not (journal.plan and journal.plan.only_addresses):
        journal.degrade(Mode.INSTANT, "only_the_passages")
    return await finish_answer(journal, complete=not more)


async def quote_next(journal: Journal, space: EmbeddingSpace | None) -> bool:
    """Quote what comes next in the source, or say that it ends; False where the thread's place is not found."""
    place = journal.plan and journal.plan.place
    with journal.timed("retrieve"):
        await journal.status("retrieve", "reading on")
        found = await in_thread(read_on, place, journal.question.viewer, space, ContinuationRules()) if place else None
    if found is None:
        return False
    if found.quotes:
        await show_quotes(journal, found.quotes, found.passages)
    if journal.sentences:
        await finish_answer(journal)
    else:
        await show_notice(journal, Turn.Outcome.NO_RETRIEVAL, "end_of_source", end_of_source(found.passages[0].kind))
    return True


async def refuse_or_quote(journal: Journal, evidence: Evidence, reason: Reason) -> None:
    """Refuse; what the question asks for by its address is shown all the same."""
    if evidence.addressed:
        return await quote_evidence(journal, evidence.addressed)
    return await refuse_or_show_closest(journal, without_answer(evidence, reason))


async def refuse_or_show_closest(journal: Journal, abstention: Abstention) -> None:
    """Show one clip of the closest passage where the gate finds it near enough; otherwise refuse."""
    if abstention.closest:
        with journal.timed("synthesize"):
            await journal.status("synthesize", "choosing the closest passage")
            clip = closest_clip(abstention.closest, QuotationRules())
        if clip and await show_closest(journal, abstention, clip):
            return None
    return await show_refusal(journal, abstention)
