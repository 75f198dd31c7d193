"""Which departures from a source's own words change what it says.

Every rule looks at one edit of a claim that follows a sentence nearly word for word: a negation put in or taken out,
"some" made "all", a hedge dropped, the past made the present, a number, an opposite, two things changing places.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from chat.answering.domain.english.alignment import Edit
from chat.answering.domain.numbers import LOOSE_NUMBERS, numbers_in
from chat.answering.domain.words import Word, Words

LONGEST = 5  # words of the source that an edit may replace; where more was rewritten, single words say little

NEGATIONS = frozenset("not no never none nothing nobody nowhere neither nor without hardly scarcely barely".split())
UNIVERSALS = frozenset(
    """
    all every each always everything everyone everybody everywhere whole entire entirely wholly completely only
    """.split()
)
REFUSALS = frozenset("refuse refused refuses fail failed deny denied lack lacks".split())
DENYING = (
    NEGATIONS
    | REFUSALS
    | frozenset(
        """
    untrue false falsely wrong wrongly incorrect mistaken impossible far contrary fails denies lacked unable anything
    """.split()
    )
)
HEDGES = frozenset(
    """
    some most often sometimes usually generally mostly largely partly perhaps maybe might
    probably possibly nearly almost rarely seldom occasionally
    """.split()
)
NOW = frozenset("now today currently nowadays presently".split())
THEN = frozenset("once formerly previously then ago yesterday anciently originally".split())
PAST = frozenset("was were had did".split())
_AUXILIARIES = frozenset("is are am was were be been being has have had by".split())
_PREPOSITIONS = frozenset("of in on at to for from with into upon during through under over after before near".split())
_DIRECTED = frozenset("of to for from into upon over under after before".split())  # what stands on which side counts
PRESENT = frozenset("is are am has have do does".split())
MAY = frozenset("may might can could".split())
MUST = frozenset("must shall will cannot".split())
_PASTS = dict(
    pair.split("/")
    for pair in """
    went/go came/come said/say saw/see gave/give took/take became/become began/begin knew/know thought/think
    taught/teach wrote/write spoke/speak made/make found/find felt/feel held/hold kept/keep left/leave led/lead
    lost/lose met/meet paid/pay ran/run sat/sit sent/send stood/stand told/tell understood/understand won/win
    built/build bought/buy brought/bring chose/choose did/do drew/draw ate/eat fell/fall fought/fight
    forgot/forget grew/grow heard/hear lay/lie lived/live rose/rise sold/sell slept/sleep got/get shone/shine
    died/die was/is were/are had/has
    """.split()
)
_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in """
    first/last before/after more/less most/least greater/smaller larger/smaller higher/lower highest/lowest
    increase/decrease increased/decreased rise/fall good/evil good/bad true/false right/wrong east/west
    eastern/western north/south northern/southern left/right male/female man/woman men/women father/mother
    son/daughter brother/sister he/she his/her him/her husband/wife boy/girl king/queen old/young older/younger
    early/late earlier/later strong/weak rich/poor high/low long/short same/different possible/impossible
    necessary/unnecessary accept/reject accepted/rejected accepts/rejects begin/end began/ended open/close
    opened/closed above/below over/under up/down inside/outside internal/external win/lose won/lost love/hate
    loved/hated life/death light/darkness always/never everything/nothing everyone/nobody all/none with/without
    free/bound success/failure succeeded/failed major/minor ancient/modern public/private day/night
    morning/evening sunrise/sunset best/worst better/worse fewer/more oldest/youngest largest/smallest
    longest/shortest gain/loss heaven/hell
    """.split()
)


@dataclass(frozen=True, slots=True)
class ClaimAndSentence:
    """A claim and the sentence it follows. names: folded words known as names; known: numbers of the evidence."""

    claim: Words
    sentence: Words
    names: Collection[str] = ()
    known: Collection[float] = ()


@dataclass(frozen=True, slots=True)
class Departure:
    """A departure that changes the meaning: its kind in one word, and the claim's words (the source's if left out)."""

    kind: str
    words: str


def departures(edits: Sequence[Edit], beside: ClaimAndSentence) -> Iterator[Departure]:
    """Yield what a near-verbatim claim says otherwise than its sentence, in the order of the rules."""
    for edit in edits:
        if len(edit.was) <= LONGEST:
            kind = _kind(edit, edits, beside)
            if kind:
                yield Departure(kind, " ".join(word.text for word in edit.now or edit.was))
    if turned := _turned_round(beside):
        yield Departure("swapped", turned)


def _kind(edit: Edit, edits: Sequence[Edit], beside: ClaimAndSentence) -> str:
    was, now = _folded(edit.was), _folded(edit.now)
    if _same_content(edit) and bool(was & DENYING) != bool(now & DENYING):
        return "negation"
    if _is_widened(was, now, _folded(beside.claim)):
        return "overgeneralised"
    if (now & NOW and not _folded(beside.sentence) & NOW) or _is_present_for_past(edit, beside):
        return "tense"
    if _has_other_number(edit, beside):
        return "number"
    if any(frozenset((a, b)) in _OPPOSITES for a in was - now for b in now - was):
        return "opposite"
    if _is_swapped(edit, edits, beside):
        return "swapped"
    return "name" if _has_other_name(edit, beside) else ""


def _is_widened(was: set[str], now: set[str], claim: set[str]) -> bool:
    """Is "some" made "all", a hedge dropped, or what may be made what is?"""
    return bool(
        (now & UNIVERSALS and not was & UNIVERSALS)
        or (was & HEDGES and not claim & (HEDGES | MAY))
        or (was & MAY and now & (MUST | PRESENT) and not now & MAY)
    )


def _same_content(edit: Edit) -> bool:
    """Is nothing of the source's replaced but function words, negations and forms of the same verb?

    What is put in beside may be longer: "it is untrue that", "by no means".
    """
    return _roots(edit.was) <= _roots(edit.now) and (bool(_folded(edit.now) & DENYING) or not _roots(edit.now))


def _roots(words: Words) -> frozenset[str]:
    return frozenset(_root(word) for word in words if word.carries and word.folded not in DENYING)


def _root(word: Word) -> str:
    return _PASTS.get(word.folded, word.stem)


def _is_present_for_past(edit: Edit, beside: ClaimAndSentence) -> bool:
    was, now = {word.folded for word in edit.was}, {word.folded for word in edit.now}
    if was & PAST and now & PRESENT and not now & PAST:
        return True
    for before in edit.was:
        if _is_participle(before, beside.sentence):
            continue
        for after in edit.now:
            if _PASTS.get(before.folded) in (after.folded, after.stem) and after.folded not in PAST:
                return True
            past, present = before.folded.endswith("ed"), after.folded.endswith(("ed", "ing"))
            if before.stem == after.stem and past and not present:
                return True
    return False


def _is_participle(word: Word, sentence: Words) -> bool:
    """Does a form of "be" or "have" stand before the word? Then it says nothing of when."""
    place = sentence.index(word)
    return place > 0 and sentence[place - 1].folded in _AUXILIARIES


def _has_other_number(edit: Edit, beside: ClaimAndSentence) -> bool:
    """Is there another number in place of one, or a number that nothing near the sentence has?"""
    was = {number.value for number in numbers_in(edit.was)}
    now = {number.value for number in numbers_in(edit.now)} - was
    return bool(now) if was else bool(now - LOOSE_NUMBERS - set(beside.known))


def _is_swapped(edit: Edit, edits: Sequence[Edit], beside: ClaimAndSentence) -> bool:
    """Have the source's words here and the claim's changed places with each other, rather than been moved?"""
    was, now = _carrying(edit.was) - _carrying(edit.now), _carrying(edit.now) - _carrying(edit.was)
    if not was or not now or _is_passive(beside):
        return False
    elsewhere = now <= _stems(beside.sentence) and was <= _stems(beside.claim)
    return elsewhere and any(was & _carrying(other.now) and now & _carrying(other.was) for other in edits)


def _carrying(words: Words) -> set[str]:
    return {word.stem for word in words if word.carries}


def _turned_round(beside: ClaimAndSentence) -> str:
    """Return two names that stand in the claim the other way round, with more between than "and", "with"; else "".

    A name that only was moved, "in Chicago" from the head of the sentence to its end, has changed places with none.
    """
    if _is_passive(beside):
        return ""
    said, held = _places(beside.claim, beside.names), _places(beside.sentence, beside.names)
    both = [stem for stem in said if stem in held]
    for one, other in combinations(both, 2):
        between = beside.claim[said[one] + 1 : said[other]]
        turned = held[one] > held[other] and any(word.carries or word.folded in _DIRECTED for word in between)
        if turned and not _is_moved(beside, (said[one], held[one]), (said[other], held[other])):
            return f"{beside.claim[said[one]].text}, {beside.claim[said[other]].text}"
    return ""


def _places(words: Words, names: Collection[str]) -> dict[str, int]:
    """Return where each name stands that stands there once, in order."""
    counts = Counter(word.stem for word in words)
    return {word.stem: place for place, word in enumerate(words) if word.is_one_of(names) and counts[word.stem] == 1}


def _is_moved(beside: ClaimAndSentence, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Does one of two names, each at a place in claim and sentence, keep a preposition that the other has not?"""
    now, was = (
        [_preposition(words, places[side], beside.names) for places in (one, other)]
        for side, words in enumerate((beside.claim, beside.sentence))
    )
    return now[0] != now[1] and any(kept and kept == before for kept, before in zip(now, was, strict=True))


def _preposition(words: Words, place: int, names: Collection[str]) -> str:
    """Return the preposition before the name at a place, past articles and the rest of the name; "" without."""
    before = (word for word in reversed(words[:place]) if word.folded in _PREPOSITIONS or word.carries)
    first = next((word.folded for word in before if not word.is_one_of(names)), "")
    return first if first in _PREPOSITIONS else ""


def _is_passive(beside: ClaimAndSentence) -> bool:
    """Is one of the two turned into the passive? That turns a sentence round without changing it."""
    return ("by" in _folded(beside.claim)) != ("by" in _folded(beside.sentence))


def _has_other_name(edit: Edit, beside: ClaimAndSentence) -> bool:
    """Does a name of the source give way to a capital that its sentence does not have?"""
    was = [word for word in edit.was if word.is_one_of(beside.names) and word.stem not in _stems(beside.claim)]
    now = [word for word in edit.now if word.text[:1].isupper() and word.carries]
    return bool(was) and any(word.stem not in _stems(beside.sentence) for word in now)


def _folded(words: Collection[Word]) -> set[str]:
    return {word.folded for word in words}


def _stems(words: Collection[Word]) -> set[str]:
    return {word.stem for word in words}
