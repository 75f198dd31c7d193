"""Shows sentences, written or quoted: numbers what they cite, notes them in the journal, and says them."""

from collections.abc import Sequence
from dataclasses import asdict

from chat.domain.answer import Cited, Claim, Shown, Withheld
from chat.domain.checking import Checked, Proof
from chat.domain.events import SentenceShown, SentenceWithheld, Sources
from chat.domain.footnotes import Footnote
from chat.domain.quotation import Quote
from chat.journal import Journal
from chat.presenting import source_item
from corpus.domain.passage import Passage, Span


async def show_sources(journal: Journal, notes: Sequence[Footnote]) -> None:
    """Say where the answer's notes stand, before its first sentence."""
    items = tuple(source_item(note.passage, (0, len(note.passage.text))) for note in notes)
    await journal.say(Sources(items))


async def show(journal: Journal, checked: Checked) -> None:
    """Say a sentence that passed, or that one was withheld."""
    if checked.withheld:
        return await withhold(journal, checked.withheld)
    numbers = tuple(dict.fromkeys(_cited(journal, proof).n for proof in checked.proofs))
    drafted = checked.drafted
    shown = Shown(
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
    )
    return await _say(journal, shown)


async def show_quote(journal: Journal, quote: Quote, passage: Passage, paragraph: int) -> None:
    """Say the sentences of a quote that passed, under one citation."""
    cited = cite(passage, quote.span, n=len(journal.citations) + 1, verdict="supported")
    journal.citations.append(cited)
    for sentence in quote.sentences:
        claim = Claim(sentence.text, "supported", 1.0, sentence.text)
        await _say(journal, Shown(sentence.text, "factual", "supported", 1.0, (cited.n,), True, paragraph, (claim,)))


async def withhold(journal: Journal, withheld: Withheld) -> None:
    """Say that a sentence is kept from the reader, and why."""
    journal.withheld.append(withheld)
    await journal.say(SentenceWithheld(withheld.reason, withheld.verdict, withheld.found_in))


async def _say(journal: Journal, shown: Shown) -> None:
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
    )
    await journal.say(event)


def _cited(journal: Journal, proof: Proof) -> Cited:
    """Return the citation of a proof, numbered by the order of first use; the same words are the same citation."""
    passage, (start, end) = proof.passage, proof.span
    for one in journal.citations:
        if (one.chunk_id, one.char_start, one.char_end) == (passage.chunk_id, start, end):
            return one
    cited = cite(passage, (start, end), n=len(journal.citations) + 1, verdict=proof.verdict)
    journal.citations.append(cited)
    return cited


def cite(passage: Passage, span: Span, *, n: int, verdict: str) -> Cited:
    """Return a passage's words as citation number `n`."""
    return Cited(
        n=n,
        quote=passage.text[span[0] : span[1]],
        verdict=verdict,
        chunk_id=passage.chunk_id,
        chunk_hash=passage.content_hash,
        char_start=span[0],
        char_end=span[1],
        **source_item(passage, span),
    )
