"""English clauses: where a clause begins, its subject, and which words govern others.

In doubt every rule answers no. A sentence left whole is checked whole, but a wrong cut changes what it says.
"""

import re
from collections.abc import Sequence

from chat.answering.domain.english.edits import DENYING, HEDGES
from corpus.domain.text.folding import fold

LEAST_WORDS = 3  # a shorter part cannot be judged alone
SUBJECT_WORDS = 8

_SUBJECTS = frozenset(
    """
    he she it they we you i there this that these those the a an his her its their our one each every some many
    all no
    """.split()
)
_CERTAIN_SUBJECTS = frozenset("he she it they we you i there the a an his its their our no".split())
# Past forms that are also participles: "he was taught and praised".
_PAST_OR_PARTICIPLE = frozenset(
    """
    brought built bought felt fought found got heard held kept led left lost made met said sat sent stood taught told
    thought understood won
    """.split()
)
_VERBS = _PAST_OR_PARTICIPLE | frozenset(
    """
    is are was were has have had does do did can could will would shall should may might must became become
    becomes began begins came comes gave gives took takes makes says went goes wrote writes teaches knew knows saw sees
    finds feels holds keeps leaves leads ran stands tells thinks chose drew ate fell forgot grew lay lies lives rose
    rises spoke speaks means calls describes reaches stays brings needs seeks wants works uses dies
    """.split()
)
_ENDS_IN_ED = re.compile(r"[a-z]{2,}(?<!e)ed$")
_INTRANSITIVE = frozenset("arrived died lived remained returned travelled traveled".split())
_FORMS_OF_BE = frozenset("is are was were be been being".split())
_SUBORDINATING = frozenset(
    """
    after although as at because before but by during for from if in into like of on once or since than though through
    to under unless until upon when whenever where whereas wherever whether which while who whom whose with within
    without
    """.split()
)
_EMBEDDING = frozenset("that who whom whose which whether if unless because or".split())
_CONDITIONS = frozenset("if unless whether".split())
_ADVERBS_OF_DOUBT = frozenset("perhaps maybe possibly probably supposedly allegedly apparently".split())
_DETERMINERS = frozenset(
    "a an the his her its their our my your this these those one two three four five six ten".split()
)
_QUOTES = re.compile(r"[“”\"«»„]")


def words_of(text: str) -> list[str]:
    """Folded words, without punctuation."""
    return [fold(word) for word in text.split() if fold(word)]


def is_clause(text: str) -> bool:
    return has_verb(text.split())


def is_clause_start(text: str) -> bool:
    """Whether the text begins with a subject and its verb, so that it can be judged alone."""
    words = text.split()
    return opens_with_subject(text) and has_verb(words[1 : SUBJECT_WORDS + 1])


def opens_with_subject(text: str) -> bool:
    """Whether the text begins with a pronoun, an article or a capital."""
    first = text.split()[0].strip("“\"'‘(")
    return first.lower() in _SUBJECTS or first[:1].isupper()


def is_own_clause(text: str) -> bool:
    """Whether the text is a main clause, not a noun with a participle ("the city built by kings")."""
    words = words_of(text)
    if len(words) < LEAST_WORDS or words[0] in _SUBORDINATING or not is_clause_start(text) or not is_plain(text):
        return False
    index = len(subject_of(text).split())
    after = words[index + 1] if len(words) > index + 1 else ""
    participle = _may_be_participle(words[index]) and (text[:1].islower() or not after or after in _SUBORDINATING)
    return index > 0 and not participle


def is_clause_after_that(text: str) -> bool:
    """Whether the words after "and that" are a clause, not a noun ("and that one")."""
    first = words_of(text)[:1]
    return len(words_of(text)) >= LEAST_WORDS and (set(first) <= _CERTAIN_SUBJECTS or is_clause_start(text))


def begins_with_verb(text: str) -> bool:
    return _is_verb(text.split()[0])


def begins_with_active_verb(text: str) -> bool:
    """Whether the text begins with a verb in the active voice, unlike "published in 1890"."""
    first, *rest = words_of(text) or [""]
    if not _is_verb(first) or first in _FORMS_OF_BE:
        return False
    after = rest[0] if rest else ""
    return not _may_be_participle(first) or after in _DETERMINERS or after.isdigit()


def subject_of(text: str) -> str:
    """The words before the first verb of a clause; "" if there is no verb among the first nine words."""
    words = text.split()
    for index, word in enumerate(words[: SUBJECT_WORDS + 1]):
        if _is_verb(word):
            subject = words[:index]
            return "" if set(words_of(" ".join(subject))) & _EMBEDDING else " ".join(subject)
    return ""


def can_share_subject(left: str, right: str) -> bool:
    """Whether `right`, which begins with its verb, keeps its meaning when given the subject of `left`.

    No after a denial or a hedge, which may apply to both, or after a passive "was", which `right` may share.
    """
    words = words_of(left)
    if not subject_of(left) or set(words) & (DENYING | HEDGES):
        return False
    passive = bool(set(words) & _FORMS_OF_BE) and "born" not in words
    return not (passive and _may_be_participle(words_of(right)[0]))


def may_govern(left: str, right: str, *, comma: bool) -> bool:
    """Whether a report, denial or condition in `left` may also apply to `right`, so that neither can stand alone."""
    words = words_of(left)
    if set(words) & _CONDITIONS or set(words[:2]) & _ADVERBS_OF_DOUBT:
        return True
    if "that" not in words[1:]:
        return False
    return not comma or bool(set(words) & DENYING) or words_of(right)[:1] == ["that"]


def is_plain(text: str) -> bool:
    """Whether the text has neither a quotation nor an embedded clause."""
    return not _QUOTES.search(text) and not set(words_of(text)) & _EMBEDDING


def is_attribution(text: str) -> bool:
    """Whether the text only names a speaker ("Krishna says that"), without a condition, a hedge or a denial."""
    words = words_of(text)
    return words[0] not in _SUBORDINATING and not set(words[:-1]) & (_EMBEDDING | DENYING | HEDGES)


def has_verb(words: Sequence[str]) -> bool:
    return any(_is_verb(word) for word in words)


def _is_verb(word: str) -> bool:
    bare = word.strip("“”\"'‘’(),.").lower()
    return bare in _VERBS or bool(_ENDS_IN_ED.match(bare))


def _may_be_participle(word: str) -> bool:
    return word in _PAST_OR_PARTICIPLE or (bool(_ENDS_IN_ED.match(word)) and word not in _INTRANSITIVE)
