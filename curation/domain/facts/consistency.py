"""Guard 2: whether two stored facts agree, follow one another, contradict each other, or have nothing to do with it.

Source: shared/seeds 002, "Store-time consistency". Signals make a pair suspect; the judge decides by rules where the
words decide, and else by what a verifier says of each fact beside the other. Where neither is sure, facts are distinct.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal
from uuid import UUID

PairVerdict = Literal["equivalent", "temporal_evolution", "contradiction", "distinct"]
Signal = Literal["structural", "semantic", "temporal"]
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConsistencyRules:
    """similar: cosine above which two facts are compared. drift_days: days apart above which a later fact may replace
    an earlier one (DRIFT_DAYS has those of some predicates). neighbours: most similar facts that each fact is
    compared with. group: of facts with one subject and predicate, how many each is compared with. contradictions: of
    one subject, how many a scan opens before it asks for a review of the whole subject. readings: pairs that a verifier
    reads in one scan; the rest waits for the next. same_from, contrary_from: support and contradiction, in both
    directions, from which a verifier's word counts.
    """

    similar: float = 0.85
    drift_days: int = 30
    neighbours: int = 10
    group: int = 20
    contradictions: int = 20
    readings: int = 20_000
    same_from: float = 0.85
    contrary_from: float = 0.75


RULES = ConsistencyRules()
# Days for predicates that change more slowly or more quickly, by a stem.
DRIFT_DAYS = {"work": 90, "live": 180, "resid": 180, "teach": 90, "use": 14, "statu": 7}
# Predicates with one value for good, such as a birth or an author, and predicates with one value at a time.
_FIXED = re.compile(
    r"\b(?:born|died|passed away|written by|composed by|founded by|founded in|built in|built by|discovered by|"
    r"invented by|written in|composed in|translated by|lives for|number)\b"
)
_CHANGING = re.compile(
    r"\b(?:works? (?:at|for|as)|lives? (?:in|at)|resides|serves as|reports to|uses?|belongs to|status|deadline|"
    r"(?:is|was) the (?:head|president|director|king|queen|capital|leader|abbot|editor|owner|teacher|rector)\b|"
    r"role)\b"
)
_NUMBERS = re.compile(r"\d[\d,.]*")
_WORD_NUMBERS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million""".split()
)
_NUMBER_STEMS = _WORD_NUMBERS | {word[:-1] + "i" for word in _WORD_NUMBERS if word.endswith("y")}
_NEGATION = re.compile(r"\b(?:not|never|no|none|neither|nor|cannot|without)\b|n['’]t\b", re.IGNORECASE)
_COPULA = re.compile(r"\b(?:is|are|was|were)\b")
_PASSIVE = re.compile(r"\bby\b")


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact as the scan compares it. The keys are stems in order. day: valid_from. audience: who may read it.

    is_editors: written by an editor.
    """

    id: UUID
    subject: Key
    predicate: Key
    object: Key
    predicate_text: str
    content: str
    words: Key
    kind: str = "fact"
    holder: str = ""
    day: date | None = None
    confidence: float = 1.0
    is_editors: bool = False
    audience: str = ""


@dataclass(frozen=True, slots=True)
class PairReading:
    """A verifier's support and contradiction of each fact by the other: the lower of both directions, 0..1."""

    support: float
    contradiction: float


@dataclass(frozen=True, slots=True)
class FactJudgement:
    """kept: of an equivalent or evolved pair, the fact that stays in force."""

    verdict: PairVerdict
    because: str
    kept: UUID | None = None


def signals_of(one: StoredFact, other: StoredFact, cosine: float, rules: ConsistencyRules = RULES) -> frozenset[Signal]:
    """Why a pair is suspect; empty where it is not."""
    found: set[Signal] = set()
    same_slot = one.subject == other.subject and one.predicate == other.predicate
    if same_slot and one.object != other.object:
        found.add("structural")
    if cosine > rules.similar or one.words == other.words:
        found.add("semantic")
    if same_slot and is_apart(one, other, rules):
        found.add("temporal")
    return frozenset(found)


def is_apart(one: StoredFact, other: StoredFact, rules: ConsistencyRules = RULES) -> bool:
    """Whether both have a day, and more days lie between than their predicate changes in."""
    if not one.day or not other.day:
        return False
    days = next((DRIFT_DAYS[stem] for stem in one.predicate if stem in DRIFT_DAYS), rules.drift_days)
    return abs(one.day - other.day) > timedelta(days=days)


def judge_by_words(one: StoredFact, other: StoredFact, rules: ConsistencyRules = RULES) -> FactJudgement | None:
    """The judgement where the words decide; None where a verifier has to read both."""
    if "opinion" in (one.kind, other.kind) and one.holder.casefold() != other.holder.casefold():
        return FactJudgement("distinct", "two people hold them")
    if one.words == other.words:
        return _equivalent(one, other, "the same words")
    if _without_negation(one.words) == _without_negation(other.words):
        return FactJudgement("contradiction", "one denies what the other says")
    if one.subject != other.subject:
        if _is_turned(one, other):
            return _equivalent(one, other, "one says it actively, the other passively")
        shorter, longer = sorted((set(one.subject), set(other.subject)), key=len)
        return None if shorter <= longer else FactJudgement("distinct", "other subjects")
    if one.predicate != other.predicate or _kind_of_value(one) != _kind_of_value(other):
        return None if numbers_of(one) == numbers_of(other) else FactJudgement("distinct", "other predicates")
    return _same_slot(one, other, rules)


def judge_by_reading(
    one: StoredFact, other: StoredFact, reading: PairReading, rules: ConsistencyRules = RULES
) -> FactJudgement:
    """The judgement of a pair whose words do not decide."""
    agrees = bool(_NEGATION.search(one.content)) == bool(_NEGATION.search(other.content))
    if reading.support >= rules.same_from and agrees and numbers_of(one) == numbers_of(other):
        return _equivalent(one, other, f"each supports the other ({reading.support:.2f})")
    same_slot = one.subject == other.subject and one.predicate == other.predicate
    if same_slot and not _COPULA.search(one.predicate_text.casefold()):
        return FactJudgement("distinct", "its predicate may have several values")  # whatever a verifier makes of two
    if reading.contradiction >= rules.contrary_from and one.subject == other.subject:
        if same_slot and is_apart(one, other, rules) and not _FIXED.search(one.predicate_text.casefold()):
            return evolution(one, other, "they exclude each other at one time")
        return FactJudgement("contradiction", f"each contradicts the other ({reading.contradiction:.2f})")
    return FactJudgement("distinct", "both may hold")


def evolution(one: StoredFact, other: StoredFact, because: str) -> FactJudgement:
    """The later of both replaces the earlier, unless an editor wrote that: then it is for review."""
    assert one.day, "the caller compared days"
    assert other.day, "the caller compared days"
    later, earlier = (one, other) if one.day > other.day else (other, one)
    if earlier.is_editors and not later.is_editors:
        return FactJudgement("contradiction", f"{because}; a fact by an editor is not replaced without one")
    return FactJudgement("temporal_evolution", f"{because}: {earlier.day} and {later.day}", later.id)


def numbers_of(fact: StoredFact) -> frozenset[str]:
    digits = {found.strip(".,").replace(",", "") for found in _NUMBERS.findall(fact.content)}
    return frozenset(digits | _WORD_NUMBERS.intersection(fact.content.casefold().split()))


def _same_slot(one: StoredFact, other: StoredFact, rules: ConsistencyRules) -> FactJudgement | None:
    """Judge two facts with one subject and predicate and the same kind of value."""
    predicate = one.predicate_text.casefold()
    fixed = bool(_FIXED.search(predicate))
    if one.object == other.object:
        return _equivalent(one, other, "the same subject, predicate and object")
    quantity = numbers_in(one.object) and numbers_in(other.object)
    if quantity and not _counts_the_same(one, other):
        return FactJudgement("distinct", "they count other things")
    if not fixed and not quantity and not _CHANGING.search(predicate):
        return None
    shorter, longer = sorted((set(one.object), set(other.object)), key=len)
    if shorter < longer and numbers_of(one) == numbers_of(other):
        return None  # “Calcutta” and “Calcutta in Bengal” may be the same
    if not fixed and is_apart(one, other, rules):
        return evolution(one, other, "it has one value at a time")
    if fixed or one.day is None or other.day is None or one.day != other.day or numbers_of(one) != numbers_of(other):
        return FactJudgement("contradiction", "it has one value, and two are stated")
    return None


def _equivalent(one: StoredFact, other: StoredFact, because: str) -> FactJudgement:
    """Keep an editor's fact, else the more confident, else that of the lower id: any order gives the same."""
    kept = max(one, other, key=lambda fact: (fact.is_editors, fact.confidence, -fact.id.int))
    return FactJudgement("equivalent", because, kept.id)


def _is_turned(one: StoredFact, other: StoredFact) -> bool:
    """“Valmiki composed it” and “It was composed by Valmiki”."""
    turned = one.subject == other.object and one.object == other.subject and one.predicate == other.predicate
    passive = [bool(_PASSIVE.search(fact.predicate_text)) for fact in (one, other)]
    return turned and passive[0] != passive[1]


def numbers_in(words: Key) -> frozenset[str]:
    return frozenset(word for word in words if word in _NUMBER_STEMS or word[:1].isdigit())


def _kind_of_value(fact: StoredFact) -> bool:
    """Whether the value is a number or date: “born in 1863” and “born in Calcutta” do not exclude each other."""
    return bool(numbers_in(fact.object))


def _counts_the_same(one: StoredFact, other: StoredFact) -> bool:
    """“Four sons” and “five sons”, unlike “four sons” and “two arms”."""
    things = [set(fact.object) - numbers_in(fact.object) for fact in (one, other)]
    return bool(things[0] & things[1]) or not any(things)


def _without_negation(words: Key) -> Key:
    return tuple(word for word in words if word != "not")
