"""Which sentences say what a thing is, or who somebody is. By English words."""

import re

from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import is_question

_SAYS = r"(?:is|are|means|mean|signifies|denotes|consists)\b(?! not\b)"
_WHOSE = r"(?:his|her|their|my|our)\b"
_ONE = rf"(?:an?\b|the\b|one\b|{_WHOSE})"


def says_what_it_is(term: str, text: str) -> bool:
    """Does a sentence define a term (folded): does the term stand right before "is", "means" and the like?

    A question defines nothing ("Does karma-yoga mean…?"), nor does what a thing is not.
    """
    return bool(term) and not is_question(text) and bool(re.search(rf"\b{re.escape(term)} {_SAYS}", fold(text)))


def says_who_it_is(person: str, text: str) -> bool:
    """Does a sentence introduce a person (folded): "X was a…", "here stands X, the…", "X, the…, says", "my aunt X"?

    A name between commas is called out to ("See, Arjuna, the warriors…"), not introduced.
    """
    if not person or is_question(text):
        return False
    parts = " , ".join(map(fold, text.split(",")))
    name = re.escape(person)
    return bool(
        re.search(rf"\b{name} (?:is|was|are|were) {_ONE}", parts)
        or re.search(rf"(?<!,) {name} , {_ONE}", parts)
        or re.match(rf"{name} , {_ONE}[^,]+ , (?!an?\b|the\b)", parts)
        or re.search(rf"\b{_WHOSE} \w+ (?:and \w+ )?{name}\b", parts)
    )
