"""A written draft as its sentences were checked, and what the operator's policies make of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from uuid import UUID

from chat.answering.domain.answer import WithheldSentence
from chat.answering.domain.answer_counts import confidence
from chat.answering.domain.checking import Objection, VerifiedSentence
from chat.answering.domain.policy import Policies, Policy, Risk, fails, proved_share, risk_of
from corpus.domain.passage import Span
from corpus.domain.text.folding import fold

REPEATED = Objection("repeated", "repeated")


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """The sentences of one draft, shown or not, in order."""

    sentences: tuple[VerifiedSentence, ...] = ()

    def with_sentence(self, sentence: VerifiedSentence) -> "CheckedDraft":
        """Add a checked sentence; one whose very words have passed before is withheld, for a weak model may loop."""
        passed = {fold(earlier.drafted.text) for earlier in self.sentences if earlier.proofs}
        if sentence.proofs and fold(sentence.drafted.text) in passed:
            withheld = WithheldSentence("repeated", sentence.verdict)
            sentence = replace(sentence, proofs=(), withheld=withheld, objections=(REPEATED,))
        return CheckedDraft((*self.sentences, sentence))

    @property
    def cites(self) -> bool:
        return any(sentence.drafted.markers for sentence in self.sentences)

    @property
    def fails(self) -> bool:
        """Was any sentence withheld for what it says?"""
        return any(map(fails, self.sentences))

    @property
    def withheld_in_a_row(self) -> int:
        """How many sentences were withheld since a factual one passed."""
        factual = [sentence for sentence in self.sentences if sentence.withheld or sentence.proofs]
        return len(list(takewhile(lambda sentence: sentence.withheld, reversed(factual))))

    @property
    def risk(self) -> Risk:
        return risk_of(proved_share(self.sentences))

    def action(self, policies: Policies) -> Policy:
        """What is done with the sentences that do not stand."""
        return policies.at(self.risk)


def passed(sentences: Iterable[VerifiedSentence]) -> list[VerifiedSentence]:
    """The sentences that something proves and nothing withholds."""
    return [sentence for sentence in sentences if sentence.proofs and not sentence.withheld]


def expected_confidence(sentences: Iterable[VerifiedSentence]) -> float:
    """The confidence, 0..1, that the sentences which passed will be shown with; a flagged one adds nothing."""
    standing = passed(sentences)
    verdicts: dict[tuple[UUID, Span], str] = {}
    for proof in (proof for sentence in standing for proof in sentence.proofs):
        verdicts.setdefault((proof.passage.chunk_id, proof.span), proof.verdict)
    held = [term.held for sentence in standing for term in sentence.terms]
    supports = [claim.support for sentence in standing for claim in sentence.claims]
    verified = list(verdicts.values()).count("supported")
    return confidence(supports, (verified, len(verdicts)), (sum(held), len(held)))
