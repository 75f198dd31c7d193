"""Guard 1: does this source text say this? Source: shared/seeds 002, "Grounding specifics".

The verifier and the guards of a written answer have checked the claim already; here their objections become a verdict
on what may be stored. A partly grounded fact is stored in its source's words, so that no part of it is invented.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from curation.domain.facts.candidate import FactCandidate, Span

GroundingVerdict = Literal["supported", "partial", "not_supported", "contradicted"]
VERIFIER = "verifier"
PAST_HABIT = "tense"
# Objections to what goes beyond the source, as a name that it lacks. Its own words, which are stored then, do not.
BEYOND = frozenset({"name", "speaker", "title", "overgeneralised", "address", "order"})


@dataclass(frozen=True, slots=True)
class GroundingRules:
    """slight_penalty, penalty: what a partly grounded fact loses of its confidence, where the verifier only hesitates
    and where a guard objects. sure_from: the verifier's support from which a fact is stored as it is. floor: the
    confidence below which it is dropped. shared_words: the share of the claim's words that the closest sentence must
    have for it to count as partly said. contrary_from: the verifier's contradiction from which it alone makes a claim
    contradicted. borne_from: its support from which a claim is partly said although a guard of BEYOND objects.
    partials: how many in a row on one subject open a review.
    """

    slight_penalty: float = 0.10
    penalty: float = 0.20
    sure_from: float = 0.91
    floor: float = 0.3
    shared_words: float = 0.4
    contrary_from: float = 0.8
    borne_from: float = 0.7
    partials: int = 3


@dataclass(frozen=True, slots=True)
class ClaimObjection:
    """guard, reason and words of an objection; see `check_claim`."""

    guard: str
    reason: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """What the guards and the verifier say of a claim beside its source.

    span: the characters that decide. label, support, contradiction: the verifier's, 0..1. shared: share of the claim's
    words in the closest sentence, 0..1. has_numbers: whether the words of the evidence have a number of their own.
    """

    verdict: str
    span: Span
    objections: Sequence[ClaimObjection]
    label: str
    shared: float
    has_numbers: bool = False
    support: float = 0.0
    contradiction: float = 1.0


@dataclass(frozen=True, slots=True)
class Grounding:
    """candidate: as it may be stored. because: what was objected to. kept: whether it may be stored at all."""

    verdict: GroundingVerdict
    candidate: FactCandidate
    because: str = ""
    kept: bool = True


def ground(candidate: FactCandidate, text: str, check: SourceCheck, rules: GroundingRules | None = None) -> Grounding:
    """The verdict on a candidate, with its evidence a span of the source."""
    rules = rules or GroundingRules()
    if not _overlap(candidate.evidence, check.span):
        candidate = replace(candidate, evidence=check.span)
    verdict, penalty = _verdict(check, rules)
    because = "; ".join(dict.fromkeys(f"{found.reason} {found.about}".strip() for found in check.objections))
    if verdict == "supported":
        return Grounding(verdict, candidate)
    if verdict != "partial":
        return Grounding(verdict, candidate, because, kept=False)
    lowered = round(candidate.confidence - penalty, 4)
    rewritten = replace(in_source_words(candidate, text), confidence=max(0.0, lowered))
    if lowered < rules.floor:
        return Grounding(verdict, rewritten, f"{because or 'partly said'}: confidence below {rules.floor}", kept=False)
    return Grounding(verdict, rewritten, because or "partly said")


def in_source_words(candidate: FactCandidate, text: str) -> FactCandidate:
    """The candidate with its evidence as its content; of its other fields only what the evidence has stays."""
    evidence = text[slice(*candidate.evidence)]
    said = " ".join(evidence.split())
    inside = said.casefold()
    keeps = candidate.predicate.casefold() in inside and candidate.object.casefold() in inside
    predicate, object_ = (candidate.predicate, candidate.object) if keeps else ("is spoken of:", said[:500])
    return replace(candidate, predicate=predicate, object=object_, content=said)


def _verdict(check: SourceCheck, rules: GroundingRules) -> tuple[GroundingVerdict, float]:
    if check.verdict == "supported" and check.support >= rules.sure_from:
        return "supported", 0.0
    if check.verdict in ("supported", "partial", "inferred"):
        return "partial", rules.slight_penalty
    guards = [found for found in check.objections if found.guard != VERIFIER]
    return _by_guards(check, guards, rules) if guards else _by_verifier(check, rules)


def _by_guards(
    check: SourceCheck, guards: Sequence[ClaimObjection], rules: GroundingRules
) -> tuple[GroundingVerdict, float]:
    if any(found.reason == PAST_HABIT for found in guards):
        return "not_supported", 0.0  # true once: an event, not the fact that was read
    if all(found.reason == "number" for found in guards):
        inflated = not check.has_numbers and check.shared >= rules.shared_words
        return ("partial", rules.penalty) if inflated else ("contradicted", 0.0)
    if check.verdict == "contradicted":
        return "contradicted", 0.0
    if check.support >= rules.borne_from and all(found.reason in BEYOND for found in guards):
        return "partial", rules.penalty
    return "not_supported", 0.0


def _by_verifier(check: SourceCheck, rules: GroundingRules) -> tuple[GroundingVerdict, float]:
    """The verdict where only the verifier objects. A fact that is stored then has its source's words."""
    if check.label == "contradicted" and check.contradiction >= rules.contrary_from:
        return "contradicted", 0.0
    if check.label == "supported" or check.shared >= rules.shared_words:
        return "partial", rules.penalty
    return "not_supported", 0.0


def opens_review(verdicts: Sequence[str], rules: GroundingRules | None = None) -> bool:
    """Whether a subject's latest verdicts, newest first, are so many partial ones in a row."""
    most = (rules or GroundingRules()).partials
    return len(verdicts) >= most and all(verdict == "partial" for verdict in verdicts[:most])


def _overlap(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])
