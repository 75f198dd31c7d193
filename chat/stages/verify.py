"""Stage 5: a quotation is checked letter for letter and against its times, a written sentence against what it cites."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.domain.answer import Withheld
from chat.domain.assembler import Drafted
from chat.domain.checking import Checked, CheckRules, Proof, is_framing, missing_quote, verdict_of, withhold
from chat.domain.footnotes import Footnote
from chat.domain.quotation import Quote
from corpus.domain.passage import Passage
from lectorium.providers.protocols import Judgement, Verifier

SHOWN = ("supported", "partial", "inferred")


@dataclass(frozen=True, slots=True)
class QuoteVerdict:
    """supported, or why the quote may not be shown."""

    verdict: str
    withheld: Withheld | None = None


def verify_quote(quote: Quote, passage: Passage) -> QuoteVerdict:
    """Check that the quote stands in its passage, and that its seconds lie within the passage's own."""
    if any(passage.text[one.span[0] : one.span[1]] != one.text for one in quote.sentences):
        return QuoteVerdict("unsupported", Withheld("SNIPPET_MISMATCH", "unsupported"))
    seconds = passage.seconds_at(quote.span)
    if seconds and not 0 <= seconds[0] <= seconds[1]:
        return QuoteVerdict("unsupported", Withheld("TIME_MISMATCH", "unsupported"))
    return QuoteVerdict("supported")


def verify_sentence(drafted: Drafted, notes: Sequence[Footnote], verifier: Verifier, rules: CheckRules) -> Checked:
    """Check a written sentence against the notes it cites: its quotations letter by letter, its claim by the verifier.

    The weakest of its shown proofs decides. Without a citation a sentence is shown only where it claims nothing.
    """
    cited = [note for note in notes if note.alias in drafted.numbers("note") + drafted.numbers("verse")]
    if not cited:
        framing = is_framing(drafted.text, rules)
        return Checked(drafted, "framing", "framing", 1.0) if framing else withhold(drafted, "uncited")
    if missing_quote(drafted.text, [note.passage for note in cited], rules):
        return withhold(drafted, "SNIPPET_MISMATCH")
    judged = verifier.verify([(note.passage.text, drafted.text) for note in cited])
    proofs = tuple(_proof(note, judgement, rules) for note, judgement in zip(cited, judged, strict=True))
    if contradicted := [proof for proof in proofs if proof.verdict == "contradicted"]:
        return withhold(drafted, "unsupported_claims", contradicted[0].verdict)
    shown = tuple(proof for proof in proofs if proof.verdict in SHOWN)
    if not shown:
        return withhold(drafted, "unsupported_claims")
    weakest = min(shown, key=lambda proof: proof.support)
    quoted = any(drafted.text in note.passage.text for note in cited)
    return Checked(drafted, "factual", weakest.verdict, round(weakest.support, 4), shown, quoted)


def _proof(note: Footnote, judgement: Judgement, rules: CheckRules) -> Proof:
    verdict = verdict_of(judgement.label, judgement.support, rules)
    span = judgement.span or (0, len(note.passage.text))
    return Proof(note.alias, note.passage, span, verdict, judgement.support)
