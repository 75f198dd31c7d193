"""What a written sentence needs before a reader sees it, and what its checks make of it.

Source: shared/design/pipeline.md, stage 5. Each guard looks at a claim beside one passage and may object; a claim
stands where some passage draws no objection, and the weakest claim decides its sentence.
"""

from dataclasses import dataclass

from chat.answering.domain.answer import Claim, Proved, WithheldSentence
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.terms import ClaimTerm
from corpus.domain.passage import Passage, Span


@dataclass(frozen=True, slots=True)
class CheckRules:
    """Evidence: docs/thresholds.md. Shares are 0..1.

    verified_from, partial_from: support from which a claim that no guard objects to is supported, and partly supported.
    near: likeness from which a claim follows its source so closely that every departure is looked at. own_words,
    own_share: likeness and share from which a claim is its source's own words, of support own_support.
    others: passages that were not cited but are looked at. suggest_share: share of a claim's words that an uncited
    sentence must share with a passage for it to be suggested. framing_words: longest framing sentence. quote_words:
    shortest quotation that is looked up word for word. rare_word: share of the corpus's chunks up to which a word of
    the question counts as rare.
    """

    verified_from: float = 0.85
    partial_from: float = 0.65
    near: float = 0.6
    own_words: float = 0.85
    own_share: float = 0.95
    own_support: float = 0.95
    others: int = 3
    suggest_share: float = 0.6
    framing_words: int = 12
    quote_words: int = 3
    rare_word: float = 0.01


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a claim is not shown: the guard that objects, and the reason in a word or two, with what it objects to."""

    guard: str
    reason: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """Where a sentence stands: a note's number, its passage, the evidence's span there, and how far it supports it.

    The number is negative for evidence of which no note was made.
    """

    note: int
    passage: Passage
    span: Span
    verdict: str
    support: float


@dataclass(frozen=True, slots=True)
class VerifiedSentence:
    """A sentence with its verdict: shown with its proofs, or withheld with the reason.

    repair: "" as cited, "moved" where another passage than the one cited proves it, "suggested" where none was cited.
    miscited: markers that proved nothing. objections: of every guard, to the sentence as it was cited. proof: how its
    least proved claim was proved.
    """

    drafted: DraftSentence
    kind: str
    verdict: str
    support: float
    proofs: tuple[Proof, ...] = ()
    quoted: bool = False
    withheld: WithheldSentence | None = None
    claims: tuple[Claim, ...] = ()
    terms: tuple[ClaimTerm, ...] = ()
    objections: tuple[Objection, ...] = ()
    repair: str = ""
    miscited: int = 0

    @property
    def proof(self) -> Proved:
        if self.quoted:
            return "quoted"
        if not self.claims:
            return ""
        return "verified" if all(claim.proof == "verified" for claim in self.claims) else "checked"
