"""What a written sentence needs before a reader sees it, and what its judgements make of it.

Source: shared/design/pipeline.md, stage 5, policy `withhold`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.domain.answer import Claim, Withheld
from chat.domain.assembler import Drafted
from corpus.domain.folding import fold
from corpus.domain.passage import Passage, Span

_FRAMING = re.compile(
    r"(?:here (?:is|are)|in short|to sum up|in summary|let us|let me|i hope|you (?:may|might|could) also)\b", re.I
)
_QUOTED = re.compile(r"[“\"«]([^“”\"«»]{2,600})[”\"»]")


@dataclass(frozen=True, slots=True)
class CheckRules:
    """Evidence: docs/thresholds.md. partial_from: support, 0..1, from which an unproven sentence is partial.

    framing_words: longest framing sentence. quote_words: shortest quotation that is looked up letter by letter.
    """

    partial_from: float = 0.6
    framing_words: int = 12
    quote_words: int = 3


@dataclass(frozen=True, slots=True)
class Proof:
    """Where a sentence stands: a note's number, its passage, the evidence's span there, and how far it supports it."""

    note: int
    passage: Passage
    span: Span
    verdict: str
    support: float


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence with its verdict: shown with its proofs, or withheld with the reason."""

    drafted: Drafted
    kind: str
    verdict: str
    support: float
    proofs: tuple[Proof, ...] = ()
    quoted: bool = False
    withheld: Withheld | None = None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Return the sentence as its one claim; a framing sentence claims nothing."""
        if not self.proofs:
            return ()
        best = max(self.proofs, key=lambda proof: proof.support)
        evidence = best.passage.text[best.span[0] : best.span[1]]
        return (Claim(self.drafted.text, self.verdict, self.support, evidence),)


def is_framing(text: str, rules: CheckRules) -> bool:
    """Does the sentence ask or lead over, and so claim nothing? Anything longer, named or numbered is a claim."""
    words = text.split()
    if len(words) > rules.framing_words or any(character.isdigit() for character in text):
        return False
    if any(word[:1].isupper() and word.strip("“\"'") != "I" for word in words[1:]):
        return False
    return text.rstrip("\"'”’)").endswith("?") or bool(_FRAMING.match(text))


def missing_quote(text: str, passages: Sequence[Passage], rules: CheckRules) -> str:
    """Return the first quotation that stands in none of the passages, "" where all do (spaces, marks, case aside)."""
    held = [fold(passage.text) for passage in passages]
    for found in _QUOTED.finditer(text):
        parts = [fold(part) for part in re.split(r"\[?(?:…|\.\.\.)\]?", found[1])]
        long = [part for part in parts if len(part.split()) >= rules.quote_words]
        if any(not any(part in one for one in held) for part in long):
            return found[1]
    return ""


def verdict_of(label: str, support: float, rules: CheckRules) -> str:
    """Return the verdict that a verifier's label and support come to."""
    if label in ("supported", "contradicted"):
        return label
    return "partial" if support >= rules.partial_from else "unsupported"


def withhold(drafted: Drafted, reason: str, verdict: str = "unsupported") -> Checked:
    """Return the sentence as one that no reader sees."""
    return Checked(drafted, "factual", verdict, 0.0, withheld=Withheld(reason, verdict))
