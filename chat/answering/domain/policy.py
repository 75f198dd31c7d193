"""What happens to a written answer whose claims do not all stand (shared/design/pipeline.md, stage 5, "Policies")."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from chat.answering.domain.checking import VerifiedSentence

LOW_FROM, MEDIUM_FROM = 0.85, 0.60  # proved share
# A forged quotation or moment is no opinion to be shown with a warning; what was said already warns of nothing.
SAID_ALREADY = frozenset({"echo", "repeated"})
NEVER_FLAGGED = frozenset({"snippet", "time"}) | SAID_ALREADY


class Policy(StrEnum):
    """withhold the sentence; show it under a warning; have the answer written once more; show none of the answer."""

    WITHHOLD = "withhold"
    WARN = "warn"
    REGENERATE = "regenerate"
    BLOCK = "block"


class Risk(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Policies:
    """The operator's policy, and the one for answers of high risk."""

    usual: Policy = Policy.WITHHOLD
    high_risk: Policy = Policy.WITHHOLD

    @property
    def hold(self) -> bool:
        """Must the whole answer be checked before any of it is shown?"""
        return self.high_risk is not self.usual or self.usual in (Policy.REGENERATE, Policy.BLOCK)

    @property
    def may_block(self) -> bool:
        """May one sentence keep the whole answer from its reader?"""
        return Policy.BLOCK in (self.usual, self.high_risk)

    def at(self, risk: Risk) -> Policy:
        """Return what is done at a risk: warn acts on medium and high, regenerate on high, block on any."""
        policy = self.high_risk if risk is Risk.HIGH else self.usual
        quiet = (policy is Policy.WARN and risk is Risk.LOW) or (policy is Policy.REGENERATE and risk is not Risk.HIGH)
        return Policy.WITHHOLD if quiet else policy


def proved_share(checked: Iterable[VerifiedSentence]) -> float:
    """Return the share, 0..1, of the claims written, shown or not, that are supported; 1 without any.

    Unlike the faithfulness that a reader is told, a conclusion counts against it: a sentence must not lower an answer's
    risk by opening with "so".
    """
    claims = [claim for sentence in checked if sentence.kind == "factual" for claim in sentence.claims]
    return sum(claim.verdict == "supported" for claim in claims) / len(claims) if claims else 1.0


def risk_of(share: float) -> Risk:
    """Return the risk of an answer by its proved share."""
    return Risk.LOW if share >= LOW_FROM else Risk.MEDIUM if share >= MEDIUM_FROM else Risk.HIGH


def fails(one: VerifiedSentence) -> bool:
    """Is the sentence withheld for what it says, and not only because it had been said?"""
    return one.withheld is not None and not any(objection.guard in SAID_ALREADY for objection in one.objections)


def is_readable(one: VerifiedSentence) -> bool:
    """May a reader read a sentence that does not stand: under a warning, or among what was removed?"""
    return not any(objection.guard in NEVER_FLAGGED for objection in one.objections)


def flagged(one: VerifiedSentence) -> VerifiedSentence:
    """Return a withheld sentence as one that is shown under its verdict, with no citation or support to lean on."""
    if not one.withheld or not is_readable(one):
        return one
    claims = tuple(replace(claim, support=0.0) for claim in one.claims)
    return replace(one, withheld=None, proofs=(), support=0.0, claims=claims)
