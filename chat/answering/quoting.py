"""Ends a turn in the sources' own words: an answer, the closest passage, or a refusal where nothing may be quoted."""

from collections.abc import Sequence
from dataclasses import replace

from chat.answering.answer_stream import AnswerStream
from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.events import EDITORS, Notice
from chat.answering.domain.evidence.conflicts import Conflict, KnownFact, disputed, left_out
from chat.answering.domain.evidence.continuation import LEANING, ContinuationRules, with_next_clip
from chat.answering.domain.evidence.evidence import Abstention, Evidence, Reason
from chat.answering.domain.evidence.quotation import EvidenceSentence, QuotationRules, Quote
from chat.answering.domain.evidence.quote_check import verify_quote
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import Mode
from chat.answering.domain.refusals import closest_message, end_of_source, without_answer
from chat.answering.domain.writing_rules import degraded_warning
from chat.answering.payloads import describe_search, opening_span, refusal_event
from chat.answering.stages.read_on import read_beside, read_on
from chat.answering.stages.synthesize import closest_clips, leaves_out, synthesize_quotes
from chat.answering.turn_result import TurnResult
from chat.models import Turn
from corpus.domain.passage import Passage
from lectorium.threads import in_thread


async def quote_evidence(turn: CurrentTurn, result: TurnResult, evidence: Evidence, stream: AnswerStream) -> TurnResult:
    """Quote the evidence: first where the quotes stand, then each sentence once its quote has been checked."""
    with turn.clock.timed("synthesize"):
        await turn.status("synthesize", "choosing the sentences that answer")
        quotes = synthesize_quotes(evidence, QuotationRules())
    if not quotes:
        return await refuse(turn, result, without_answer(evidence, Reason.THIN_EVIDENCE), stream)
    only_asked = all(sentence.asked for quote in quotes for sentence in quote.sentences)
    stream.chance = 1.0 if only_asked else evidence.coverage
    if evidence.framing and all_verified(quotes, passages_of(evidence)):
        stream.framing = evidence.framing
        await turn.say(Notice(EDITORS, evidence.framing))
    await show_quotes(turn, stream, quotes, passages_of(evidence), result.conflicts)
    if not stream.has_begun:
        return await refuse(turn, result, without_answer(evidence, Reason.UNSUPPORTED_CLAIMS), stream)
    if more := leaves_out(evidence, quotes):
        result = result.warned(degraded_warning(Mode.INSTANT.value, "more_stands_there"))
    if evidence.is_only_addressed and not (result.plan and result.plan.only_addresses):
        result = result.warned(degraded_warning(Mode.INSTANT.value, "only_the_passages"))
    return await finish_answer(turn, result, stream, complete=not more)


async def quote_next(turn: CurrentTurn, result: TurnResult, stream: AnswerStream) -> TurnResult | None:
    """Quote what comes next in the source, or say that it ends; None where the place of the thread is not found."""
    place = result.plan and result.plan.place
    with turn.clock.timed("retrieve"):
        await turn.status("retrieve", "reading on")
        found = await in_thread(read_on, place, turn.question.viewer, ContinuationRules()) if place else None
    if found is None:
        return None
    if found.quotes:
        await show_quotes(turn, stream, found.quotes, found.passages, result.conflicts)
    if stream.has_begun:
        return await finish_answer(turn, result, stream)
    message = end_of_source(found.passages[0].kind)
    await turn.say(Notice("end_of_source", message))
    return result.ended(Turn.Outcome.NO_RETRIEVAL, message=message)


async def refuse_or_quote(
    turn: CurrentTurn, result: TurnResult, evidence: Evidence, reason: Reason, stream: AnswerStream
) -> TurnResult:
    """Refuse; a passage that the question asks for by its address is shown all the same."""
    if evidence.addressed:
        return await quote_evidence(turn, result, evidence.addressed, stream)
    return await refuse_or_show_closest(turn, result, without_answer(evidence, reason), stream)


async def refuse_or_show_closest(
    turn: CurrentTurn, result: TurnResult, abstention: Abstention, stream: AnswerStream
) -> TurnResult:
    """Show the closest passage where the gate finds it near enough; otherwise refuse."""
    if abstention.closest:
        with turn.clock.timed("synthesize"):
            await turn.status("synthesize", "choosing the closest passage")
            clips, passages = await _closest_in_thread(turn, result, abstention.closest)
        if disputed(result.conflicts, [(passages[clip.passage].chunk_id, clip.span) for clip in clips]):
            abstention = replace(abstention, reason=Reason.CONFLICTING_SOURCES)
        if clips and all_verified(clips, passages):
            return await show_closest(turn, result, abstention, clips, passages, stream)
    return await refuse(turn, result, abstention, stream)


async def _closest_in_thread(
    turn: CurrentTurn, result: TurnResult, evidence: Evidence
) -> tuple[Sequence[Quote], Sequence[Passage]]:
    """The closest clips and their passages; of a follow-up also what comes next after the last citation."""
    rules, passages = QuotationRules(), passages_of(evidence)
    clips = closest_clips(evidence, rules)
    plan = result.plan
    if not clips or plan is None or plan.place is None or evidence.is_story:
        return clips, passages
    reach = replace(ContinuationRules(), words=rules.closest_words)
    now = [sentence.text for sentence in clips[0].sentences]
    if (found := await in_thread(read_beside, plan.place, turn.question.viewer, reach, now)) is None:
        return clips, passages
    most = reach.closest_clips if plan.follow_up in LEANING else rules.closest_clips
    return with_next_clip(clips, passages, found.quotes, found.passages, most)


async def refuse(turn: CurrentTurn, result: TurnResult, abstention: Abstention, stream: AnswerStream) -> TurnResult:
    """Say why there is no answer, what was searched and what was nearest. No citation."""
    event = refusal_event(abstention, await in_thread(describe_search, turn.question.viewer))
    await turn.say(event)
    return replace(result, refusal=event).ended(
        Turn.Outcome.REFUSED, stream.snapshot(), reason=abstention.reason.value, message=event.message
    )


async def show_closest(
    turn: CurrentTurn,
    result: TurnResult,
    abstention: Abstention,
    quotes: Sequence[Quote],
    passages: Sequence[Passage],
    stream: AnswerStream,
) -> TurnResult:
    """Show a clip or two in place of a refusal, after a notice that they may not answer, or that they disagree.

    quotes: the clips', verified, in `passages`.
    """
    evidence = abstention.closest
    assert evidence is not None, "a closest passage is shown only where there is one"
    stream.chance, stream.closest, stream.is_likely = evidence.coverage, abstention.reason.value, evidence.is_likely
    await turn.say(Notice("closest_passage", closest_message(stream.closest, is_likely=stream.is_likely)))
    await show_quotes(turn, stream, quotes, passages, result.conflicts)
    await show_other_sides(turn, stream, result.conflicts)
    return result.closest_passage(stream.snapshot())


async def show_passages(turn: CurrentTurn, result: TurnResult, evidence: Evidence, stream: AnswerStream) -> TurnResult:
    """Show the beginnings of the best passages: no answer was composed, but no turn ends in a blank."""
    stream.chance = evidence.coverage
    passages = passages_of(evidence)[: DiscardRules().nearest]
    await stream.show_sources([(passage, opening_span(passage)) for passage in passages])
    for paragraph, passage in enumerate(passages):
        span = opening_span(passage)
        opening = EvidenceSentence(paragraph, 0, span, passage.text[slice(*span)], 0.0)
        await stream.show_quote(Quote(paragraph, (opening,)), passage, paragraph, result.conflicts)
    return await finish_answer(turn, result, stream, complete=False)


async def finish_answer(
    turn: CurrentTurn, result: TurnResult, stream: AnswerStream, *, complete: bool = True
) -> TurnResult:
    """Show the other side where sources disagree, and end by what did not stand. A closest passage stays one."""
    if stream.closest:
        return result.closest_passage(stream.snapshot(), complete=complete)
    await show_other_sides(turn, stream, result.conflicts)
    shown = stream.snapshot()
    whole = complete and not shown.withheld and all(sentence.stands for sentence in shown.sentences)
    outcome = Turn.Outcome.GROUNDED if whole else Turn.Outcome.PARTIALLY_GROUNDED
    return result.ended(outcome, shown, complete=complete)


async def show_quotes(
    turn: CurrentTurn,
    stream: AnswerStream,
    quotes: Sequence[Quote],
    passages: Sequence[Passage],
    conflicts: Sequence[Conflict],
) -> None:
    """Say where the quotes stand, then the sentences of each that passes its check: a paragraph for each clip."""
    await stream.show_sources([(passages[quote.passage], quote.span) for quote in quotes])
    await turn.status("verify", "checking every quotation against its source")
    paragraph = -1
    for quote in quotes:
        paragraph += not (quote.continues and paragraph >= 0)
        await show_verified_quote(turn, stream, quote, passages[quote.passage], paragraph, conflicts)


async def show_other_sides(turn: CurrentTurn, stream: AnswerStream, conflicts: Sequence[Conflict]) -> None:
    """Quote the sides of each conflict that the answer shows one side of, until none is left out."""
    tried: list[KnownFact] = []
    while sides := [side for side in left_out(conflicts, stream.snapshot().citations) if side not in tried]:
        tried.append(sides[0])
        paragraph = stream.snapshot().sentences[-1].paragraph + 1
        await show_verified_quote(turn, stream, sides[0].quote, sides[0].passage, paragraph, conflicts)


async def show_verified_quote(
    turn: CurrentTurn,
    stream: AnswerStream,
    quote: Quote,
    passage: Passage,
    paragraph: int,
    conflicts: Sequence[Conflict],
) -> None:
    """Show the sentences of a quote that its passage has, or say that it was withheld."""
    with turn.clock.timed("verify"):
        checked = verify_quote(quote, passage)
    if checked.withheld:
        return await stream.withhold(checked.withheld)
    return await stream.show_quote(quote, passage, paragraph, conflicts)


def all_verified(quotes: Sequence[Quote], passages: Sequence[Passage]) -> bool:
    return not any(verify_quote(quote, passages[quote.passage]).withheld for quote in quotes)


def passages_of(evidence: Evidence) -> list[Passage]:
    return [candidate.passage for candidate in evidence.candidates]
