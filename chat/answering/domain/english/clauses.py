"""Clauses, by English words: where one begins, its subject, and what its words reach over.

Where a rule is in doubt it says no: a sentence that stays whole is checked whole, one that is parted wrongly says
something else.
"""

import re
from collections.abc import Sequence

from chat.answering.domain.english.edits import DENYING, HEDGES
from corpus.domain.text.folding import fold

LEAST_WORDS = 3  # a shorter part says too little to be judged alone
SUBJECT_WORDS = 8

_SUBJECTS = frozenset(
    """
    he she it they we you i there this that these those the a an his her its their our one each every some many
    all no
    """.split()
)
_SURELY_SUBJECTS = frozenset("he she it they we you i there the a an his its their our no".split())
# The past of these is also what was done to something: "he was taught and praised".
_PAST_OR_DONE = frozenset(
    """
    brought built bought felt fought found got heard held kept led left lost made met said sat sent stood taught told
    thought understood won
    """.split()
)
_VERBS = _PAST_OR_DONE | frozenset(
    """
    is are was were has have had does do did can could will would shall should may might must became become
    becomes began begins came comes gave gives took takes makes says went goes wrote writes teaches knew knows saw sees
    finds feels holds keeps leaves leads ran stands tells thinks chose drew ate fell forgot grew lay lies lives rose
    rises spoke speaks means calls describes reaches stays brings needs seeks wants works uses dies
    """.split()
)
_ENDED = re.compile(r"[a-z]{2,}(?<!e)ed$")
_NEVER_DONE = frozenset("arrived died lived remained returned travelled traveled".split())
_BEING = frozenset("is are was were be been being".split())
_OPENING = frozenset(
    """
    after although as at because before but by during for from if in into like of on once or since than though through
    to under unless until upon when whenever where whereas wherever whether which while who whom whose with within
    without
    """.split()
)
_EMBEDDING = frozenset("that who whom whose which whether if unless because or".split())
_CONDITIONS = frozenset("if unless whether".split())
_DOUBTS = frozenset("perhaps maybe possibly probably supposedly allegedly apparently".split())
_THINGS = frozenset("a an the his her its their our my your this these those one two three four five six ten".split())
_QUOTES = re.compile(r"[“”\"«»„]")


def words_of(text: str) -> list[str]:
    """Return the words without their punctuation, folded."""
    return [fold(word) for word in text.split() if fold(word)]


def is_clause(text: str) -> bool:
    """Has the text a verb?"""
    return has_verb(text.split())


def is_clause_start(text: str) -> bool:
    """Does the text begin with a subject and its verb, so that it can be judged alone?"""
    words = text.split()
    return opens_with_subject(text) and has_verb(words[1 : SUBJECT_WORDS + 1])


def opens_with_subject(text: str) -> bool:
    """Does the text begin with a pronoun, an article or a capital?"""
    first = text.split()[0].strip("“\"'‘(")
    return first.lower() in _SUBJECTS or first[:1].isupper()


def is_own_clause(text: str) -> bool:
    """Does the text say something by itself, and not only when, where, or what was done ("the city built by kings")?"""
    words = words_of(text)
    if len(words) < LEAST_WORDS or words[0] in _OPENING or not is_clause_start(text) or not is_plain(text):
        return False
    place = len(subject_of(text).split())
    after = words[place + 1] if len(words) > place + 1 else ""
    done = _may_be_done(words[place]) and (text[:1].islower() or not after or after in _OPENING)
    return place > 0 and not done


def is_clause_after_that(text: str) -> bool:
    """Does what follows "and that" say something, and not point at something ("and that one")?"""
    first = words_of(text)[:1]
    return len(words_of(text)) >= LEAST_WORDS and (set(first) <= _SURELY_SUBJECTS or is_clause_start(text))


def begins_with_verb(text: str) -> bool:
    return _is_verb(text.split()[0])


def does_something(text: str) -> bool:
    """Does the text begin with what somebody does, and not with what was done to something ("published in 1890")?"""
    first, *rest = words_of(text) or [""]
    if not _is_verb(first) or first in _BEING:
        return False
    after = rest[0] if rest else ""
    return not _may_be_done(first) or after in _THINGS or after.isdigit()


def subject_of(text: str) -> str:
    """Return the words before the first verb of a clause; "" where there is none within reach."""
    words = text.split()
    for place, word in enumerate(words[: SUBJECT_WORDS + 1]):
        if _is_verb(word):
            subject = words[:place]
            return "" if set(words_of(" ".join(subject))) & _EMBEDDING else " ".join(subject)
    return ""


def may_share_subject(left: str, right: str) -> bool:
    """May `right`, which begins with its verb, be given the subject of `left`, and mean what it meant beside it?

    Not after a denial or a hedge, which may hold for both, nor where "was" may.
    """
    words = words_of(left)
    if not subject_of(left) or set(words) & (DENYING | HEDGES):
        return False
    passive = bool(set(words) & _BEING) and "born" not in words
    return not (passive and _may_be_done(words_of(right)[0]))


def reaches_over(left: str, right: str, *, comma: bool) -> bool:
    """May what `left` reports, denies or supposes hold for `right` too, so that neither is to stand alone?"""
    words = words_of(left)
    if set(words) & _CONDITIONS or set(words[:2]) & _DOUBTS:
        return True
    if "that" not in words[1:]:
        return False
    return not comma or bool(set(words) & DENYING) or words_of(right)[:1] == ["that"]


def is_plain(text: str) -> bool:
    """Is there neither a quotation nor a clause within a clause?"""
    return not _QUOTES.search(text) and not set(words_of(text)) & _EMBEDDING


def is_attribution(text: str) -> bool:
    """Does the text only say who says so, and not whether, when, or that they do not?"""
    words = words_of(text)
    return words[0] not in _OPENING and not set(words[:-1]) & (_EMBEDDING | DENYING | HEDGES)


def has_verb(words: Sequence[str]) -> bool:
    return any(_is_verb(word) for word in words)


def _is_verb(word: str) -> bool:
    bare = word.strip("“”\"'‘’(),.").lower()
    return bare in _VERBS or bool(_ENDED.match(bare))


def _may_be_done(word: str) -> bool:
    return word in _PAST_OR_DONE or (bool(_ENDED.match(word)) and word not in _NEVER_DONE)
