"""The checks of a written sentence before a reader sees it, and their results.

Source: shared/design/pipeline.md, stage 5. Each guard looks at a claim beside one passage and may object. A claim is
proved if some passage draws no objection. The weakest claim decides its sentence.
"""

from dataclasses import dataclass

from chat.answering.domain.answer import Claim, Proved, WithheldSentence
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.terms import ClaimTerm
from corpus.domain.passage import Passage, Span


@dataclass(frozen=True, slots=True)
class CheckRules:
    """Evidence: docs/thresholds.md. Shares are 0..1.

    verified_from, partial_from: minimum support of a supported, or partly supported, claim without objections. near:
    likeness from which a claim is compared with its source edit by edit. own_words, own_share: likeness and share from
    which a claim counts as its source's own words. own_from: support from which such a claim is supported where it is
    not word for word; its support then counts as own_support at least. others: uncited passages that are also checked.
    suggest_share: share of its words that an uncited sentence must have in common with a passage to get a suggested
    citation. framing_words: longest framing sentence. quote_words: shortest quotation that is looked up word for word.
    rare_word: share of the corpus's chunks up to which a word is rare.
    """

    verified_from: float = 0.89
    partial_from: float = 0.7
    near: float = 0.6
    own_words: float = 0.85
    own_share: float = 1.0
    own_from: float = 0.6
    own_support: float = 0.95
    others: int = 3
    suggest_share: float = 0.6
    framing_words: int = 12
    quote_words: int = 3
    rare_word: float = 0.01


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a claim is not shown. reason: one or two words. about: the words objected to."""

    guard: str
    reason: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """The evidence of a sentence. span: in the passage. support: 0..1.

    note: the number of the note; negative for a passage without a note.
    """

    note: int
    passage: Passage
    span: Span
    verdict: str
    support: float


@dataclass(frozen=True, slots=True)
class VerifiedSentence:
    """A sentence with its verdict: shown with its proofs, or withheld with the reason.

    repair: "" as cited, "moved" if a passage other than the cited one proves it, "suggested" if none was cited.
    miscited: number of markers that proved nothing. objections: of all guards, to the sentence as cited. proof: of its
    least proved claim.
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
