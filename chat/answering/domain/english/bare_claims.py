"""A claim beside evidence of which nothing else is known: no title, no speaker, no question (`manage.py verify`).

In a turn what a guard objects to is withheld. Here evidence may have been cut out of what says the rest, so each kind
of objection halves the support, and no claim with one is called supported. A name that the evidence lacks says little:
its sentences may call it "he" or "the city". Only where a speaker says "I" and never "he" or "this" is it an objection.
"""

from uuid import UUID

from chat.answering.domain.checking import CheckRules
from chat.answering.domain.english.guards import CONTRADICTING, SourceText, TurnContext, VerifierJudgement, check_claim
from chat.answering.domain.words import Stem
from corpus.domain.passage import Passage
from corpus.domain.text.sentences import sentence_spans

DOUBT = 0.5  # what one kind of objection leaves of a claim's support
_NOWHERE = UUID(int=0)
_SPEAKER = frozenset("i me my mine".split())
_STANDING_FOR_A_NAME = frozenset(
    "he him his she her hers it its they them their theirs this that these those who whom whose which".split()
)


def bare_source(evidence: str, stem: Stem) -> SourceText:
    """Return evidence as the guards read it, once for all claims beside it."""
    return SourceText.of(Passage(_NOWHERE, _NOWHERE, "", "", "", evidence, "", 0), evidence, "", stem)


def objection_kinds(claim: str, source: SourceText, stem: Stem) -> frozenset[str]:
    """Return the kinds of objection that any sentence of a claim meets: to its wording, a number or a name."""
    turn, rules, sure = TurnContext(stem), CheckRules(), VerifierJudgement("supported", 1.0)
    terms = {"number", "name"} if _names_all_but_the_speaker(source) else {"number"}
    return frozenset(
        objection.reason
        for start, end in sentence_spans(claim)
        for objection in check_claim(claim[start:end], source, sure, turn, rules).objections
        if objection.guard == "wording" or (objection.guard == "terms" and objection.reason in terms)
    )


def _names_all_but_the_speaker(source: SourceText) -> bool:
    words = {word.folded for word in source.words}
    return bool(words & _SPEAKER) and not words & _STANDING_FOR_A_NAME


def reduced_support(support: float, kinds: frozenset[str]) -> float:
    """Return what support, 0..1, is left by so many kinds of objection."""
    return support * DOUBT ** len(kinds)


def is_denied(kinds: frozenset[str]) -> bool:
    """Does an objection say that the evidence has it otherwise, rather than not at all?"""
    return not kinds.isdisjoint(CONTRADICTING)
