"""Whom a pronoun of a follow-up means: the last person that the answer, or else the question, names and that agrees."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.answering.domain.words import Word, words_in
from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import is_question

HE, SHE = "he", "she"
_PRONOUNS = {HE: frozenset("he him his himself".split()), SHE: frozenset("she her hers herself".split())}
_ROLES = {
    HE: "man king prince father grandfather uncle brother son boy husband monk farmer swami gentleman lord mister mr",
    SHE: "woman queen princess mother grandmother aunt sister daughter girl wife nun lady madam miss mrs ms mistress",
    "": (
        "student teacher friend poet sage saint disciple guru master physician doctor engineer potter singer "
        "archer charioteer announcer stranger philosopher prophet devotee yogi child author speaker lecturer servant"
    ),
}
# Names of scripture that readers know, and often write small.
_NAMED = {
    HE: (
        "arjuna krsna krishna bhisma bhishma drona duryodhana dhrtarastra dhritarashtra sanjaya yudhisthira "
        "yudhishthira bhima karna vyasa rama hanuman janaka jesus moses abraham muhammad buddha socrates plato"
    ),
    SHE: "draupadi kunti sita radha savitri",
}
_ROLE_OF = {role: gender for gender, roles in _ROLES.items() for role in roles.split()}
_GENDER_OF = {fold(name): gender for gender, names in _NAMED.items() for name in names.split()}
_TITLES = frozenset(
    "mister mr mrs ms miss king queen prince princess lord lady father mother uncle aunt dr sir st saint".split()
)
_PLACED = frozenset("in at near from into toward towards through around via across above beyond outside of the".split())
_NO_PERSON = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december christmas english sanskrit hindu hindus indian christian christians buddhist western
    eastern bible gita veda vedas upanishad upanishads dharma karma yoga bhakti atman brahman maya scripture gandiva
    """.split()
)
_NO_OPENER = frozenset("yet however still thus therefore perhaps even also later today tonight yes ok okay".split())
_SAYS = frozenset(
    """
    said says asked asks told tells answered answers replied replies looked looks gave gives went goes came comes took
    takes saw sees felt feels knew knows wanted wants refused refuses picked sat stood did called thought thinks
    """.split()
)


@dataclass(frozen=True, slots=True)
class Person:
    """Someone named: how they are named, and the pronoun that they are known to take; "" where that is not known."""

    name: str
    pronoun: str = ""


def person_meant(pronoun: str, texts: Sequence[str]) -> str:
    """Return who is meant by a pronoun: the last one of the first text that names somebody who agrees, else "".

    texts: the likeliest first, such as the last answer's sentences, then its question; of a question it is the first
    one: whom it asks about stands before whom or what else it names. Where nobody is named, the reader's own words
    ("the farmer") say it better than the answer's.
    """
    asked = next((gender for gender, forms in _PRONOUNS.items() if pronoun.lower() in forms), "")
    in_turn = (people_in(text)[:: -1 if is_question(text) else 1] for text in texts)
    agreeing = [[person for person in people if person.pronoun in ("", asked)] for people in in_turn if asked]
    named = [[person for person in people if person.name[:1].isupper()] for people in agreeing]
    asked_about = [people for people, text in zip(agreeing, texts, strict=False) if is_question(text)]
    for people in (*named, *asked_about, *agreeing):  # a name from before says more than "the speaker"
        if people:
            return next((person for person in reversed(people) if person.pronoun), people[-1]).name
    return ""


def people_in(text: str) -> list[Person]:
    """Return the people that a text names, in order: by name, or by what they are ("the potter")."""
    words = words_in(text, str)
    known = {word.folded for word in words if word.is_name}
    runs = list(_runs(words, known))
    return [_person(text, words, first, last, runs) for first, last in runs]


def _runs(words: Sequence[Word], known: set[str]) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of each run of words that names a person."""
    at = 0
    while at < len(words):
        last = at
        while last < len(words) and _names(words, last, known) and (last == at or _joined(words, last)):
            last += 1
        if last > at:
            if not _is_no_person(words, at, last):
                yield at, last - 1
            at = last
        else:
            if words[at].folded in _ROLE_OF and at and words[at - 1].folded in ("a", "an", "the", "his", "her", "my"):
                yield at, at
            at += 1


def _names(words: Sequence[Word], at: int, known: set[str]) -> bool:
    word = words[at]
    if _bare(word) in _GENDER_OF:
        return True
    if not word.text[:1].isupper() or word.text[1:2].isupper() or not word.is_content or word.folded in _NO_PERSON:
        return False
    if word.is_name or word.folded in known or word.folded in _TITLES or word.text.endswith(("'s", "’s")):
        return True
    follows = words[at + 1] if at + 1 < len(words) else None
    return (
        word.opens
        and word.folded not in _NO_OPENER
        and follows is not None
        and (follows.folded in _SAYS or follows.is_name)
    )


def _joined(words: Sequence[Word], at: int) -> bool:
    """Does the word go on with the name before it, as after a blank, an initial or a title?"""
    before = words[at - 1]
    return words[at].start - before.end == 1 or len(before.text) == 1 or before.folded in _TITLES


def _is_no_person(words: Sequence[Word], first: int, last: int) -> bool:
    """Is the run a place, a book, or a title alone?"""
    before = words[first - 1].folded if first else ""
    called = before == "called" and first > 1 and words[first - 2].folded not in _ROLE_OF
    placed = before in _PLACED and words[first].folded not in _TITLES
    return placed or called or all(word.folded in _TITLES for word in words[first:last])


def _person(text: str, words: Sequence[Word], first: int, last: int, runs: Sequence[tuple[int, int]]) -> Person:
    said = [_bare(word) for word in words[first : last + 1]]
    name = _without_s(text[words[first].start : words[last].end])
    genders = (_GENDER_OF.get(word) or _ROLE_OF.get(word) for word in said)
    role = next(filter(None, genders), "")
    if first == last and said[0] in _GENDER_OF:
        name = name[:1].upper() + name[1:]
    if first and not role:
        role = _ROLE_OF.get(words[first - 1].folded, "")  # "my aunt Kamala"
    if not name[:1].isupper():
        name = f"the {name}"
    after = min((start for start, _ in runs if start > last), default=len(words))
    pronouns = (_pronoun(word.folded) for word in words[last + 1 : after])
    return Person(name, role or next(filter(None, pronouns), ""))


def _bare(word: Word) -> str:
    return fold(_without_s(word.text))


def _without_s(name: str) -> str:
    return re.sub(r"['’]s$", "", name)


def _pronoun(word: str) -> str:
    return next((gender for gender, forms in _PRONOUNS.items() if fold(word) in forms), "")
