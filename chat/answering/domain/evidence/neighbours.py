"""How a sentence hangs together with the one before it. By English words."""

import re

from corpus.domain.text.sentences import is_question

HEAD = 8  # words in which a sentence that leans on the one before it says that it is not so

_TURNS = "but|yet|however|nevertheless|nonetheless|on the contrary|not so|nay"
_LEANING = re.compile(
    rf"^[\W_]*({_TURNS}|he|she|it|its|they|them|his|her|hers|their|theirs|this|that|these|those|such|and|so|then|"
    r"therefore|thus|hence|for|or|nor|also|moreover|besides|again|here|there|the (former|latter|same|other))\b",
    re.I,
)
_TURNING = re.compile(rf"^[\W_]*({_TURNS})\b", re.I)
_DENYING = re.compile(
    r"\b(not|no|never|cannot|none|nothing|nobody|false|untrue|wrong|mistake|mistaken|error|impossible)\b|n['’]t\b", re.I
)
_ANNOUNCING = re.compile(
    r":\W*$|\b(?:these|the following|as follows)\W*$|\b(?:two|three|four|five|six|seven) (?:\w+ )?"
    r"(?:things|kinds|ways|reasons|steps|answers|strands|paths|parts|points|classes|sorts|types)\b",
    re.I,
)


def leans_on_neighbour(text: str) -> bool:
    """Does the sentence begin with a word that points back?"""
    return bool(_LEANING.match(text))


def goes_on(text: str) -> bool:
    """Does the sentence state more of what the one before it began?"""
    return leans_on_neighbour(text) and not is_question(text)


def takes_back(text: str) -> bool:
    """May the sentence deny or narrow the one before it ("But…", "It cannot mean that."), which alone would mislead?"""
    head = " ".join(text.split()[:HEAD])
    return goes_on(text) and bool(_TURNING.match(text) or _DENYING.search(head))


def announces(text: str) -> bool:
    """Does the sentence promise what the next one says: a list, a quotation or the reply to its own question?"""
    return bool(_ANNOUNCING.search(text)) or is_question(text)
