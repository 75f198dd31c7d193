"""Shows sentences, written or quoted, or why there are none: numbers what they cite, notes all in the journal."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from chat.answering.domain.answer import AnswerCitation, AnswerSentence, Claim, WithheldSentence
from chat.answering.domain.cards import Card, cards_of
from chat.answering.domain.checking import Proof, VerifiedSentence
from chat.answering.domain.events import Notice, SentenceShown, SentenceWithheld, Sources
from chat.answering.domain.evidence.conflicts import KnownFact, is_conflicting, left_out
from chat.answering.domain.evidence.evidence import Abstention
from chat.answering.domain.evidence.quotation import EvidenceSentence, Quote
from chat.answering.domain.evidence.quote_check import verify_quote
from chat.answering.domain.footnotes import Footnote
from chat.answering.domain.policy import is_readable
from chat.answering.domain.refusals import CLOSEST
from chat.answering.journal import Journal
from chat.answering.payloads import describe_search, opening_span, refusal_event, source_item
from chat.models import Turn
from corpus.catalogue.links import place_url
from corpus.domain.passage import Passage, Span
from lectorium.threads import in_thread


async def show_sources(journal: Journal, notes: Sequence[Footnote]) -> None:
    """Say where the answer's notes stand, before its first sentence."""
    items = tuple(source_item(note.passage, (0, len(note.passage.text))) for note in notes)
    await journal.say(Sources(items))


async def show_sentence(journal: Journal, checked: VerifiedSentence) -> None:
    """Say a sentence that passed, or that one was withheld."""
    if checked.withheld:
        text = checked.drafted.text if is_readable(checked) else ""
        return await withhold_sentence(journal, replace(checked.withheld, text=text))
    numbers = tuple(dict.fromkeys(_cited(journal, proof).n for proof in checked.proofs))
    drafted = checked.drafted
    shown = AnswerSentence(
        text=drafted.text,
        kind=checked.kind,
        verdict=checked.verdict,
        support=checked.support,
        citations=numbers,
        quoted=checked.quoted,
        paragraph=drafted.paragraph,
        claims=checked.claims,
        block=drafted.block,
        repair=checked.repair,
        miscited=checked.miscited,
        terms=len(checked.terms),
        unverified=tuple(term.text for term in checked.terms if not term.held),
        conflicting=any(
            is_conflicting(journal.conflicts, proof.passage.chunk_id, proof.span) for proof in checked.proofs
        ),
        cards=tuple(card_item(card) for card in cards_of(checked)),
        proof=checked.proof,
    )
    return await _say(journal, shown)


async def show_refusal(journal: Journal, abstention: Abstention) -> None:
    """Say why there is no answer, what was searched and what was nearest. No citation."""
    detail = await in_thread(describe_search, journal.question.viewer)
    event = refusal_event(abstention, detail)
    journal.nearest, journal.searched, journal.next_step = list(event.nearest), event.searched, event.next_step
    journal.conclude(Turn.Outcome.REFUSED, reason=abstention.reason.value, message=event.message)
    await journal.say(event)


async def show_closest(journal: Journal, abstention: Abstention, quotes: Sequence[Quote]) -> bool:
    """Show one clip in place of a refusal, after a notice that it may not answer; False where it fails its check.

    quotes: the clip's, over the candidates of `abstention.closest`.
    """
    evidence = abstention.closest
    assert evidence is not None, "a closest passage is shown only where there is one"
    passages = [candidate.passage for candidate in evidence.candidates]
    if any(verify_quote(quote, passages[quote.passage]).withheld for quote in quotes):
        return False
    journal.chance = evidence.coverage
    journal.conclude(Turn.Outcome.CLOSEST_PASSAGE, reason=abstention.reason.value, message=CLOSEST)
    await journal.say(Notice("closest_passage", CLOSEST))
    await show_quotes(journal, quotes, passages)
    return True


async def show_quotes(journal: Journal, quotes: Sequence[Quote], passages: Sequence[Passage]) -> None:
    """Say where the quotes stand, then the sentences of each that passes its check: a paragraph a clip."""
    await journal.say(Sources(tuple(source_item(passages[quote.passage], quote.span) for quote in quotes)))
    await journal.status("verify", "checking every quotation against its source")
    paragraph = -1
    for quote in quotes:
        paragraph += not (quote.continues and paragraph >= 0)
        await show_verified_quote(journal, quote, passages[quote.passage], paragraph)


async def show_verified_quote(journal: Journal, quote: Quote, passage: Passage, paragraph: int) -> None:
    """Say the sentences of a quote that its passage has, or that it was withheld."""
    with journal.timed("verify"):
        checked = verify_quote(quote, passage)
    if checked.withheld:
        return await withhold_sentence(journal, checked.withheld)
    return await show_quote(journal, quote, passage, paragraph)


async def show_other_sides(journal: Journal) -> None:
    """Quote the sides of each conflict that the answer shows one side of, until none is left out."""
    tried: list[KnownFact] = []
    while sides := [side for side in left_out(journal.conflicts, journal.citations) if side not in tried]:
        tried.append(sides[0])
        await show_verified_quote(journal, sides[0].quote, sides[0].passage, journal.sentences[-1].paragraph + 1)


async def finish_answer(journal: Journal, *, complete: bool = True) -> None:
    """Show what the answer owes of the other side where sources disagree, and conclude by what did not stand.

    A closest passage stays one, however its turn ends.
    """
    if journal.outcome == Turn.Outcome.CLOSEST_PASSAGE:
        journal.complete = complete
        return
    await show_other_sides(journal)
    whole = complete and not journal.withheld and all(sentence.stands for sentence in journal.sentences)
    journal.conclude(Turn.Outcome.GROUNDED if whole else Turn.Outcome.PARTIALLY_GROUNDED, complete=complete)


async def show_passages(journal: Journal, passages: Sequence[Passage]) -> None:
    """Show the beginnings of the passages found: no answer was composed, but no turn ends in a blank."""
    await journal.say(Sources(tuple(source_item(passage, opening_span(passage)) for passage in passages)))
    for paragraph, passage in enumerate(passages):
        sentence = EvidenceSentence(
            paragraph, 0, opening_span(passage), passage.text[slice(*opening_span(passage))], 0.0, 0.0
        )
        await show_quote(journal, Quote(paragraph, (sentence,)), passage, paragraph)


async def show_quote(journal: Journal, quote: Quote, passage: Passage, paragraph: int) -> None:
    """Say the sentences of a quote that passed, under one citation."""
    cited = make_citation(passage, quote.span, n=len(journal.citations) + 1, verdict="supported")
    journal.citations.append(cited)
    for index, sentence in enumerate(quote.sentences):
        claim = Claim(sentence.text, "supported", 1.0, sentence.text, "quoted")
        shown = AnswerSentence(
            sentence.text, "factual", "supported", 1.0, (cited.n,), True, paragraph, (claim,),
            conflicting=is_conflicting(journal.conflicts, passage.chunk_id, sentence.span),
            clip=True,
            proof="quoted",
            lead=index == quote.lead,
        )  # fmt: skip
        await _say(journal, shown)


async def withhold_sentence(journal: Journal, withheld: WithheldSentence) -> None:
    """Say that a sentence is left out of the answer, and why."""
    journal.withheld.append(withheld)
    await journal.say(SentenceWithheld(**asdict(withheld)))


async def _say(journal: Journal, shown: AnswerSentence) -> None:
    journal.sentences.append(shown)
    event = SentenceShown(
        text=shown.text,
        kind=shown.kind,
        verdict=shown.verdict,
        quoted=shown.quoted,
        support=shown.support,
        paragraph=shown.paragraph,
        claims=tuple(asdict(claim) for claim in shown.claims),
        citations=tuple(journal.citations[n - 1].public() for n in shown.citations),
        block=shown.block,
        repair=shown.repair,
        conflicting=shown.conflicting,
        cards=shown.cards,
        clip=shown.clip,
        lead=shown.lead,
        proof=shown.proof,
    )
    await journal.say(event)


def _cited(journal: Journal, proof: Proof) -> AnswerCitation:
    """Return the citation of a proof, numbered by the order of first use; the same words are the same citation."""
    passage, (start, end) = proof.passage, proof.span
    for citation in journal.citations:
        if (citation.chunk_id, citation.char_start, citation.char_end) == (passage.chunk_id, start, end):
            return citation
    cited = make_citation(passage, (start, end), n=len(journal.citations) + 1, verdict=proof.verdict)
    journal.citations.append(cited)
    return cited


def card_item(card: Card) -> dict[str, str]:
    """Return what a card shows."""
    url = place_url(card.passage, (0, len(card.passage.text)))
    return {"kind": card.kind, "title": card.passage.title, "address": card.address, "url": url}


def make_citation(passage: Passage, span: Span, *, n: int, verdict: str) -> AnswerCitation:
    """Return a passage's words as citation number `n`."""
    return AnswerCitation(
        n=n,
        quote=passage.text[span[0] : span[1]],
        verdict=verdict,
        chunk_id=passage.chunk_id,
        chunk_hash=passage.content_hash,
        char_start=span[0],
        char_end=span[1],
        **source_item(passage, span),
    )
