"""What happens to a written answer with unproved claims. Source: shared/design/pipeline.md, stage 5, "Policies"."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from chat.answering.domain.checking import VerifiedSentence

LOW_FROM, MEDIUM_FROM = 0.85, 0.60  # share of proved claims, 0..1
# Not shown even with a warning: forged quotations and times, which are not opinions, and repetitions.
REPEATS = frozenset({"echo", "repeated"})
NEVER_FLAGGED = frozenset({"snippet", "time"}) | REPEATS


class Policy(StrEnum):
    """Withhold the sentence; show it with a warning; write the answer once more; show none of the answer."""

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
    """The operator's policy, and the policy for high-risk answers."""

    usual: Policy = Policy.WITHHOLD
    high_risk: Policy = Policy.WITHHOLD

    @property
    def hold(self) -> bool:
        """Whether the whole answer must be checked before any of it is shown."""
        return self.high_risk is not self.usual or self.usual in (Policy.REGENERATE, Policy.BLOCK)

    @property
    def may_block(self) -> bool:
        """Whether a single sentence can block the whole answer."""
        return Policy.BLOCK in (self.usual, self.high_risk)

    def at(self, risk: Risk) -> Policy:
        """The policy at a risk. warn applies from medium risk, regenerate at high risk, block at any; else withhold."""
        policy = self.high_risk if risk is Risk.HIGH else self.usual
        quiet = (policy is Policy.WARN and risk is Risk.LOW) or (policy is Policy.REGENERATE and risk is not Risk.HIGH)
        return Policy.WITHHOLD if quiet else policy


def proved_share(checked: Iterable[VerifiedSentence]) -> float:
    """The share, 0..1, of supported claims among all claims written, shown or not; 1 without claims.

    Unlike the faithfulness shown to readers, it counts conclusions as unsupported: opening a sentence with "so" must
    not lower the risk of an answer.
    """
    claims = [claim for sentence in checked if sentence.kind == "factual" for claim in sentence.claims]
    return sum(claim.verdict == "supported" for claim in claims) / len(claims) if claims else 1.0


def risk_of(share: float) -> Risk:
    return Risk.LOW if share >= LOW_FROM else Risk.MEDIUM if share >= MEDIUM_FROM else Risk.HIGH


def fails(sentence: VerifiedSentence) -> bool:
    """Whether the sentence is withheld for its content, not only because it repeats another."""
    return sentence.withheld is not None and not any(objection.guard in REPEATS for objection in sentence.objections)


def is_readable(sentence: VerifiedSentence) -> bool:
    """Whether a reader may see an unproved sentence, with a warning or in the list of removed sentences."""
    return not any(objection.guard in NEVER_FLAGGED for objection in sentence.objections)


def flagged(sentence: VerifiedSentence) -> VerifiedSentence:
    """A withheld sentence made visible with its verdict, without citations or support; others unchanged."""
    if not sentence.withheld or not is_readable(sentence):
        return sentence
    claims = tuple(replace(claim, support=0.0) for claim in sentence.claims)
    return replace(sentence, withheld=None, proofs=(), support=0.0, claims=claims)
