"""Edits that change the meaning of a sentence.

Each rule looks at one edit of a claim that follows its sentence nearly word for word: an added or removed negation,
"some" changed to "all", a dropped hedge, past changed to present, a different number, an opposite, two swapped words.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from chat.answering.domain.english.alignment import Edit
from chat.answering.domain.numbers import LOOSE_NUMBERS, numbers_in
from chat.answering.domain.words import Word, Words

LONGEST_EDIT = 5  # source words; in longer rewrites a single word is no evidence

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
_DIRECTIONAL = frozenset("of to for from into upon over under after before".split())  # swapping their sides matters
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
    """A claim and its source sentence. names: folded known names. known: numbers of the surrounding evidence."""

    claim: Words
    sentence: Words
    names: Collection[str] = ()
    known: Collection[float] = ()


@dataclass(frozen=True, slots=True)
class Departure:
    """An edit that changes the meaning. kind: see `_kind`. words: those of the claim, or else of the source."""

    kind: str
    words: str


def departures(edits: Sequence[Edit], pair: ClaimAndSentence) -> Iterator[Departure]:
    """The edits of a near-verbatim claim that change its meaning, at most one kind per edit."""
    for edit in edits:
        if len(edit.source) <= LONGEST_EDIT:
            kind = _kind(edit, edits, pair)
            if kind:
                yield Departure(kind, " ".join(word.text for word in edit.claim or edit.source))
    if turned := _swapped_names(pair):
        yield Departure("swapped", turned)


def _kind(edit: Edit, edits: Sequence[Edit], pair: ClaimAndSentence) -> str:
    source, claim = _folded(edit.source), _folded(edit.claim)
    if _same_content(edit) and bool(source & DENYING) != bool(claim & DENYING):
        return "negation"
    if _is_overgeneralised(source, claim, _folded(pair.claim)):
        return "overgeneralised"
    if (claim & NOW and not _folded(pair.sentence) & NOW) or _is_present_for_past(edit, pair):
        return "tense"
    if _has_other_number(edit, pair):
        return "number"
    if any(frozenset((a, b)) in _OPPOSITES for a in source - claim for b in claim - source):
        return "opposite"
    if _is_swapped(edit, edits, pair):
        return "swapped"
    return "name" if _has_other_name(edit, pair) else ""


def _is_overgeneralised(source: set[str], claim: set[str], whole_claim: set[str]) -> bool:
    """Whether "some" became "all", a hedge was dropped, or "may" became "is" or "must"."""
    return bool(
        (claim & UNIVERSALS and not source & UNIVERSALS)
        or (source & HEDGES and not whole_claim & (HEDGES | MAY))
        or (source & MAY and claim & (MUST | PRESENT) and not claim & MAY)
    )


def _same_content(edit: Edit) -> bool:
    """Whether the edit replaces only function words, negations ("it is untrue that") and forms of the same verb."""
    return _roots(edit.source) <= _roots(edit.claim) and (bool(_folded(edit.claim) & DENYING) or not _roots(edit.claim))


def _roots(words: Words) -> frozenset[str]:
    return frozenset(_root(word) for word in words if word.is_content and word.folded not in DENYING)


def _root(word: Word) -> str:
    return _PASTS.get(word.folded, word.stem)


def _is_present_for_past(edit: Edit, pair: ClaimAndSentence) -> bool:
    source, claim = _folded(edit.source), _folded(edit.claim)
    if source & PAST and claim & PRESENT and not claim & PAST:
        return True
    for before in edit.source:
        if _is_participle(before, pair.sentence):
            continue
        for after in edit.claim:
            if _PASTS.get(before.folded) in (after.folded, after.stem) and after.folded not in PAST:
                return True
            past, present = before.folded.endswith("ed"), after.folded.endswith(("ed", "ing"))
            if before.stem == after.stem and past and not present:
                return True
    return False


def _is_participle(word: Word, sentence: Words) -> bool:
    """Whether a form of "be" or "have" precedes the word, so that its ending does not mark the past."""
    index = sentence.index(word)
    return index > 0 and sentence[index - 1].folded in _AUXILIARIES


def _has_other_number(edit: Edit, pair: ClaimAndSentence) -> bool:
    """Whether the claim changes a number of the source, or adds one that nearby evidence does not have."""
    source = {number.value for number in numbers_in(edit.source)}
    claim = {number.value for number in numbers_in(edit.claim)} - source
    return bool(claim) if source else bool(claim - LOOSE_NUMBERS - set(pair.known))


def _is_swapped(edit: Edit, edits: Sequence[Edit], pair: ClaimAndSentence) -> bool:
    """Whether the edit exchanges words with another edit, rather than moving them."""
    source, claim = _content_stems(edit.source), _content_stems(edit.claim)
    removed, added = source - claim, claim - source
    if not removed or not added or _differs_in_voice(pair):
        return False
    in_both = added <= _stems(pair.sentence) and removed <= _stems(pair.claim)
    return in_both and any(
        removed & _content_stems(other.claim) and added & _content_stems(other.source) for other in edits
    )


def _content_stems(words: Words) -> set[str]:
    return {word.stem for word in words if word.is_content}


def _swapped_names(pair: ClaimAndSentence) -> str:
    """Two names in reverse order in the claim, separated by more than "and" or "with"; else "".

    Moving a name with its preposition, such as "in Chicago" from the start to the end, is not a swap.
    """
    if _differs_in_voice(pair):
        return ""
    in_claim, in_sentence = _positions(pair.claim, pair.names), _positions(pair.sentence, pair.names)
    both = [stem for stem in in_claim if stem in in_sentence]
    for first, second in combinations(both, 2):
        between = pair.claim[in_claim[first] + 1 : in_claim[second]]
        separated = any(word.is_content or word.folded in _DIRECTIONAL for word in between)
        if in_sentence[first] <= in_sentence[second] or not separated:
            continue
        if not _is_only_moved(pair, (in_claim[first], in_sentence[first]), (in_claim[second], in_sentence[second])):
            return f"{pair.claim[in_claim[first]].text}, {pair.claim[in_claim[second]].text}"
    return ""


def _positions(words: Words, names: Collection[str]) -> dict[str, int]:
    """The index of each name that occurs exactly once, in order."""
    counts = Counter(word.stem for word in words)
    return {word.stem: index for index, word in enumerate(words) if word.is_one_of(names) and counts[word.stem] == 1}


def _is_only_moved(pair: ClaimAndSentence, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether one of two names, each given as its indexes in claim and sentence, keeps its own preposition."""
    claim, source = (
        [_preposition(words, positions[side], pair.names) for positions in (first, second)]
        for side, words in enumerate((pair.claim, pair.sentence))
    )
    return claim[0] != claim[1] and any(after and after == before for after, before in zip(claim, source, strict=True))


def _preposition(words: Words, index: int, names: Collection[str]) -> str:
    """The preposition before the name at an index, skipping articles and the rest of the name; "" without one."""
    before = (word for word in reversed(words[:index]) if word.folded in _PREPOSITIONS or word.is_content)
    first = next((word.folded for word in before if not word.is_one_of(names)), "")
    return first if first in _PREPOSITIONS else ""


def _differs_in_voice(pair: ClaimAndSentence) -> bool:
    """Whether only one of the two is passive. A change of voice reverses the order but keeps the meaning."""
    return ("by" in _folded(pair.claim)) != ("by" in _folded(pair.sentence))


def _has_other_name(edit: Edit, pair: ClaimAndSentence) -> bool:
    """Whether the claim replaces a name of the source by a capitalised word that its sentence does not have."""
    removed = [word for word in edit.source if word.is_one_of(pair.names) and word.stem not in _stems(pair.claim)]
    capitalised = [word for word in edit.claim if word.text[:1].isupper() and word.is_content]
    return bool(removed) and any(word.stem not in _stems(pair.sentence) for word in capitalised)


def _folded(words: Collection[Word]) -> set[str]:
    return {word.folded for word in words}


def _stems(words: Collection[Word]) -> set[str]:
    return {word.stem for word in words}
