"""Checks a claim against evidence without metadata: no title, speaker or question (`manage.py verify`).

A turn withholds a claim that a guard objects to. Here the evidence may be an excerpt, so each kind of objection halves
the support, and a claim with an objection is never called supported. A name missing from the evidence is weak proof,
since sentences may use "he" or "the city"; it counts only where the evidence uses "I" but no such pronoun.
"""

from uuid import UUID

from chat.answering.domain.checking import CheckRules
from chat.answering.domain.english.guards import SourceText, TurnContext, VerifierJudgement, check_claim
from chat.answering.domain.english.verdicts import CONTRADICTING
from chat.answering.domain.words import Stem
from corpus.domain.passage import Passage
from corpus.domain.text.sentences import sentence_spans

OBJECTION_FACTOR = 0.5  # each kind of objection multiplies the support by this
_NO_ID = UUID(int=0)
_FIRST_PERSON = frozenset("i me my mine".split())
_PRONOUNS_FOR_NAMES = frozenset(
    "he him his she her hers it its they them their theirs this that these those who whom whose which".split()
)


def bare_source(evidence: str, stem: Stem) -> SourceText:
    """Prepare evidence for the guards; reuse it for all claims about that evidence."""
    return SourceText.of(Passage(_NO_ID, _NO_ID, "", "", "", evidence, "", 0), evidence, "", stem)


def objection_kinds(claim: str, source: SourceText, stem: Stem) -> frozenset[str]:
    """The kinds of objection to any sentence of a claim: its wording, a number or a name."""
    turn, rules, trusted = TurnContext(stem), CheckRules(), VerifierJudgement("supported", 1.0)
    terms = {"number", "name"} if _only_first_person(source) else {"number"}
    return frozenset(
        objection.reason
        for start, end in sentence_spans(claim)
        for objection in check_claim(claim[start:end], source, trusted, turn, rules).objections
        if objection.guard == "wording" or (objection.guard == "terms" and objection.reason in terms)
    )


def _only_first_person(source: SourceText) -> bool:
    words = {word.folded for word in source.words}
    return bool(words & _FIRST_PERSON) and not words & _PRONOUNS_FOR_NAMES


def reduced_support(support: float, kinds: frozenset[str]) -> float:
    """`support`, 0..1, after halving it for each kind of objection."""
    return support * OBJECTION_FACTOR ** len(kinds)


def is_denied(kinds: frozenset[str]) -> bool:
    """Whether an objection says that the evidence contradicts the claim, rather than lacking it."""
    return not kinds.isdisjoint(CONTRADICTING)
