"""Checks a quotation letter for letter, and against its passage's times."""

from dataclasses import dataclass

from chat.answering.domain.answer import WithheldSentence
from chat.answering.domain.evidence.quotation import Quote
from corpus.domain.passage import Passage


@dataclass(frozen=True, slots=True)
class QuoteVerdict:
    """supported, or why the quote may not be shown."""

    verdict: str
    withheld: WithheldSentence | None = None


def verify_quote(quote: Quote, passage: Passage) -> QuoteVerdict:
    """Check that the quote stands in its passage, and that its seconds lie within the passage's own."""
    if any(passage.text[sentence.span[0] : sentence.span[1]] != sentence.text for sentence in quote.sentences):
        return QuoteVerdict("unsupported", WithheldSentence("SNIPPET_MISMATCH", "unsupported"))
    if not passage.is_playable(quote.span):
        return QuoteVerdict("unsupported", WithheldSentence("TIME_MISMATCH", "unsupported"))
    return QuoteVerdict("supported")
