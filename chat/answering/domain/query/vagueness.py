"""Which questions do not say what they are about, so that the reader is asked back. By English words.

The rules look at the grammar of a question: is there a word that names a subject, and does every pronoun have something
to stand for? They know no lecture and no list of vague questions. Measured: docs/results/conversation.md.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from corpus.domain.text.sentences import sentence_spans
from corpus.domain.text.stopwords import ASKING_WORDS, GENERAL_WORDS, STOPWORDS


@dataclass(frozen=True, slots=True)
class VaguenessRules:
    """How many words may name a subject in a question that is still asked back. Evidence: docs/thresholds.md.

    pointing: beside "it", "they", "these" without an antecedent. demonstrative: beside "this court", "that mission".
    somebody: beside "the king", "the disciple".
    topic: of a question without a verb ("karma?").
    """

    pointing: int = 1
    demonstrative: int = 0
    somebody: int = 1
    topic: int = 1


class Vagueness(StrEnum):
    """Why a question cannot be looked up."""

    NOTHING = "nothing"  # "Why?", "Tell me more": no subject at all
    REFERENT = "referent"  # "What did he mean by that?": a pronoun or "the second one" stands for nothing
    TOPIC = "topic"  # "karma?": a subject, and nothing asked about it


@dataclass(frozen=True, slots=True)
class VagueQuestion:
    """kind: see Vagueness. phrase: the words that stand for nothing, or the topic; "" where there are none."""

    kind: Vagueness
    phrase: str = ""


# Words that could stand in a question about anything. Inflections are found by their base form (_is_general).
_GENERAL = GENERAL_WORDS | frozenset(
    """
    about again also answer ask asked anything anybody anyone bad bit book books chapter chapters clear compare
    correct detail details difference different else end example examples explain explanation false fine first
    follow following former good great half hear hold idea important interesting issue job kind king kings lady last
    later latest latter lesson line lines list look main man matter mean meaning men more most name new next nice
    number numbers ok okay old older one ones opinion order other others page paragraph passage people person piece
    please point possible problem purpose question questions quote real reason receive remember rest result role
    second section sentence side simple someone something sort sorry speaker speakers subject summarize summary sum
    teacher text thanks theme thing third title today tomorrow topic true try type understand use useful verse
    verses want way week woman women wonder word words worse worst worth write wrong year yesterday yes no better
    best nicer newer bigger larger biggest smaller go going here there then so ok well now actually exactly really
    basically simply maybe perhaps briefly quickly elaborate continue proceed repeat clarify share shed light
    information info interested curious what's who's where's how's that's it's there's let's whats whos wheres hows
    thats theres lets im i'm i'd i've don't doesn't didn't isn't aren't wasn't can't couldn't shouldn't won't
    """.split()
)
_EMPTY = STOPWORDS | ASKING_WORDS
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly")
_WORD = re.compile(r"\d+(?:[.:,]\d+)+|\w+(?:['’-]\w+)*")
_AUXILIARIES = frozenset(
    "am is are was were do does did has have had can could will would shall should may might must".split()
)
_ASKED = frozenset("what which how whose where when why who".split())
_SAYS_WHO_ASKS = re.compile(
    r"\b(?:am|do|did|should|can|could|must|will|shall|may|have|how|where|why) (?:i|we)\b|\bare we\b"
)
_BARE_DEFINITION = re.compile(
    r"(?:so |and |but )?(?:what|who)(?: is|'s|s| are| was| were| do (?:you|they) mean by| is meant by) "
    r"(?:(?:a|an|the (?:meaning|definition|nature) of) )?(?P<term>\w+)\W*$"
)
_SHORT = 5  # words; a longer question in general words alone says something all the same
_DEFINITE = re.compile(r"\b(?:the|verse|chapter|page|there|more(?= about\b| detail|$))\b")
# With "the" before it, such a noun is somebody of whom a story was told, and there are many stories.
_SOMEBODY = frozenset(
    """
    author boy child children daughter devotee disciple disciples farmer father fellow friend gentleman girl guru
    husband king lady man master men merchant monk mother narrator parents people philosopher poet priest prince
    princess pupil queen sage saint servant sister brother soldier son student teacher wife woman women writer
    """.split()
)
_PEOPLE = frozenset({"he", "she", "him", "her", "his", "hers"})
_PLURAL = frozenset({"they", "them", "their"})
_THINGS = frozenset({"it", "its"}) | _PLURAL
_ARTICLES = frozenset({"the", "a", "an"})
_DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})
_STANDS_FOR_ANOTHER = re.compile(
    r"\b(?:the|this|that|which|any|either|each) (?:\w+ )?(?:other|first|second|third|fourth|fifth|last|next|previous|"
    r"same|former|latter|above|following)(?: ones?)?(?=\W*$|\W+(?:in|is|was|and|to|mean|means|say|says|work|works)\b)"
    r"|\b(?:the (?:other )?ones?|that one|this one|which one|which of (?:them|these|those|the two)"
    r"|both of (?:them|these)|the (?:former|latter))\b"
)
_VERBAL_BEFORE = frozenset("i we you he she it they to not can could will would shall should may might must".split())
# After these "it" is empty ("Is it wrong to…") or a clause says what it stands for.
_CLAUSE = frozenset(
    "to that if when whether because how what who where why which like all i we you one us people everybody".split()
)
_SPEAKING = frozenset("say says said call calls called mean means meant think believe tell".split())
_DEFINED_BY = frozenset("of that who which whose where when in from with called named by about at for to on".split())
_DETERMINER_AFTER = frozenset(
    "of in about by with from for on to is was are were at under into does do did can".split()
)
_TOPIC_LEAD = re.compile(r"^\W*(?:(?:and|but|so|or|then|ok|well)\W+)?(?:(?:what|how) (?:about|of)\b)?\W*", re.I)


def vague_question(text: str, rules: VaguenessRules | None = None) -> VagueQuestion | None:
    """Return why an English question without a thread cannot be looked up; None where it can."""
    rules = rules or VaguenessRules()
    words = tuple(word.lower().replace("’", "'") for word in _WORD.findall(text))
    plain = " ".join(words)
    specific = [place for place, word in enumerate(words) if _names_a_subject(word)]
    other = _STANDS_FOR_ANOTHER.search(plain)
    if not specific:
        return _without_subject(plain, words, other)
    if other and len(specific) <= 1 and not _antecedent(words, specific, len(plain[: other.start()].split())):
        return VagueQuestion(Vagueness.REFERENT, other[0])
    if (
        len(specific) <= rules.pointing
        and len(sentence_spans(text)) == 1
        and (pointer := _dangling_pronoun(words, specific))
    ):
        return VagueQuestion(Vagueness.REFERENT, pointer)
    if phrase := _unknown_somebody(words, specific, rules):
        return VagueQuestion(Vagueness.REFERENT, phrase)
    if phrase := _dangling_demonstrative(words, specific, rules):
        return VagueQuestion(Vagueness.REFERENT, phrase)
    return _bare_topic(text, words, specific, rules)


def _without_subject(plain: str, words: tuple[str, ...], other: re.Match[str] | None) -> VagueQuestion | None:
    pointers = [word for word in words if word in _PEOPLE | _THINGS | _DEMONSTRATIVES]
    defined = _BARE_DEFINITION.match(plain)
    if defined and defined["term"] not in _EMPTY | {"one", "ones", "more", "next", "else"}:
        return None  # "What is time?": a general word can be a subject too
    if _SAYS_WHO_ASKS.search(plain) and not pointers and not other and "more" not in words:
        return None  # "Who am I?", "What should I do?"
    if other:
        return VagueQuestion(Vagueness.REFERENT, other[0])
    if pointers:
        return VagueQuestion(Vagueness.REFERENT, pointers[0])
    if somebody := _unknown_somebody(words, [], VaguenessRules()):
        return VagueQuestion(Vagueness.REFERENT, somebody)
    if len(words) > _SHORT and not _DEFINITE.search(plain):
        return None  # "How can you tell whether a thing is real?"
    return VagueQuestion(Vagueness.NOTHING)


def _names_a_subject(word: str) -> bool:
    bare = word.removesuffix("'s").removesuffix("'")
    return not (bare in _EMPTY or _is_general(bare) or len(bare) == 1 or (bare.isdigit() and len(bare) < 4))


def _is_general(word: str) -> bool:
    bases = {word, *(word.removesuffix(ending) for ending in _ENDINGS if len(word) > len(ending) + 2)}
    return not bases.isdisjoint(_GENERAL)


def _antecedent(words: tuple[str, ...], specific: list[int], place: int) -> bool:
    """Does a noun before this place name something that a pronoun there can stand for?

    Not the thing asked for: in "How much rent does it cost?" it is not the rent.
    """
    before = words[:place]
    asked = before[:1] and before[0] in _ASKED and before[-1] in _AUXILIARIES
    if asked and sum(word in _ASKED or word in _AUXILIARIES for word in before) == 2 and not {"and", "or"} & {*before}:
        return False
    return any(at < place and not (at and words[at - 1] in _VERBAL_BEFORE) for at in specific)


def _dangling_pronoun(words: tuple[str, ...], specific: list[int]) -> str:
    for place, word in enumerate(words):
        after = words[place + 1 :]
        if word not in _THINGS or _antecedent(words, specific, place):
            continue
        if word == "it" and not (_CLAUSE.isdisjoint(after) and _CLAUSE.isdisjoint(words[1:place][-1:])):
            continue
        if word in _PLURAL and not _SOMEBODY.isdisjoint(words[:place]):
            continue  # "people … they"
        if word in ("its", "their") and not _ARTICLES.isdisjoint(words[:place]):
            continue  # "a right to the work, but never to its fruits": a general noun is named too
        if word in ("they", "it") and not _SPEAKING.isdisjoint(after[:2]):
            continue
        return word
    last = words[-1]
    return last if last in _DEMONSTRATIVES and not _antecedent(words, specific, len(words) - 1) else ""


def _dangling_demonstrative(words: tuple[str, ...], specific: list[int], rules: VaguenessRules) -> str:
    """Return "this court" or "that mission" where nothing says which one, and little else is named."""
    for place, word in enumerate(words[:-1]):
        if word not in _DEMONSTRATIVES or words[place + 1] in _EMPTY:
            continue
        if word == "that" and not (place and words[place - 1] in _DETERMINER_AFTER):
            continue  # "the belief that souls return"
        end = place + 1
        while end < len(words) and words[end] not in _EMPTY and not words[end].endswith("ly"):
            end += 1
        if any(at - 1 not in specific and place < at - 1 for at in specific if at < end):
            continue  # "that word adhikara" says which word
        beside = [at for at in specific if not place < at < end]
        ends_there = end == len(words) or words[end] not in _DEFINED_BY
        if len(beside) <= rules.demonstrative and ends_there and not _antecedent(words, specific, place):
            return " ".join(words[place:end])
    return ""


def _unknown_somebody(words: tuple[str, ...], specific: list[int], rules: VaguenessRules) -> str:
    """Return "the king" where nothing says which king, and little else is named.

    Two of them together, as in "What did the monk tell the king?", are mostly of one story.
    """
    people = {word for before, word in pairwise(words) if before == "the" and word in _SOMEBODY}
    if len(people) > 1:
        return ""
    for place, word in enumerate(words[1:], 1):
        if word not in _SOMEBODY or words[place - 1] != "the" or place + 1 in specific:
            continue
        after = words[place + 1] if place + 1 < len(words) else ""
        beside = [at for at in specific if at != place]
        if after not in _DEFINED_BY and len(beside) <= rules.somebody and not _antecedent(words, beside, place):
            return f"the {word}"
    return ""


def _bare_topic(text: str, words: tuple[str, ...], specific: list[int], rules: VaguenessRules) -> VagueQuestion | None:
    rest = _WORD.findall(_TOPIC_LEAD.sub("", text, count=1))
    lead = len(words) - len(rest)
    if len(specific) > rules.topic or specific[0] < lead:
        return None
    others = {word.lower() for word in rest} - {words[specific[0]]}
    if others <= {"the", "a", "an", "please", "in", "of", "about"}:
        return VagueQuestion(Vagueness.TOPIC, rest[specific[0] - lead])
    return None
