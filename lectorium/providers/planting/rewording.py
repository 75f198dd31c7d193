"""Rewords true sentences by rules that preserve their meaning.

A rule only applies where it is exact: a clause is moved where no pronoun or other clause could change its reference, a
passive is turned active where subject, verb and agent are the whole sentence.
"""

import re
from collections.abc import Callable

from .changes import NAME
from .lines import is_tellable, lower_first
from .word_pairs import ACTIVE, BEFORE_OTHERS, PERSONS, SAME
from .words import MONTHS

Rule = Callable[[str], str | None]

_QUOTED = re.compile(r"[“”\"()\[\];:–—]")
# A clause or phrase after one of these could be read as belonging to it.
_SECOND_CLAUSE = re.compile(
    r"\b(?:that|which|who|whom|whose|what|where|why|how|because|if|unless|until|when|while|though|although|since|before|"
    r"after|as|than|and|but|or|nor|not|never|no|none|nothing|only|to|so|said|says|named|called|known|\w+ing)\b|n['’]t\b",
    re.I,
)
_POINTING = re.compile(
    r"\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|himself|herself|itself|themselves|this|these|those|such|"
    r"there|then|so|former|latter|one|ones|another|other|others|both|each)\b",
    re.I,
)
_DAY = rf"(?:\d{{1,2}} )?(?:{'|'.join(MONTHS)})(?: \d{{1,2}})?(?:,? \d{{4}})?"
_WHEN = re.compile(rf"^(?P<when>(?:In|On|Since|Until) (?:{_DAY}|(?:the year )?\d{{4}})), (?P<rest>[^,]+)\.$")
_CLAUSE = re.compile(
    r"^(?P<joint>When|Whenever|If|Because|Although|Though|Unless|Until|As soon as) (?P<clause>[^,]+), "
    r"(?:then )?(?P<rest>[^,]+)\.$"
)
_ASIDE = re.compile(
    r"^(?P<aside>However|Of course|Indeed|For example|For instance|In fact|Nevertheless|After all), "
    r"(?P<rest>[^,]+)\.$"
)
_INVERTED = re.compile(
    r"^(?:let|do|does|did|is|are|was|were|will|would|can|could|shall|should|have|has|never|not)\b", re.I
)
_DENIED = re.compile(
    r"\b(do|does|did|is|are|was|were|has|have|had|could|would|should) not(?= [a-z])|\bcannot(?= [a-z])"
)
_SHORT = re.compile(
    r"\b(?:(do|does|did|is|are|was|were|has|have|had|could|would|should)n['’]t|can['’]t|won['’]t)(?= [a-z])"
)
_RELATIVE = re.compile(
    r"\b(?:a|an|the|The|A|An) (?P<head>[a-z]+) (?P<link>that|which)(?= (?:is|was|are|were|has|had|can|will)\b)"
)
_PASSIVE = re.compile(
    rf"^(?P<done>(?:The|It|They|{NAME})(?: [\w'’]+){{0,6}}?) (?:was|were) "
    rf"(?P<verb>{'|'.join(ACTIVE)}) by (?P<agent>(?:the )?{NAME}(?: and {NAME})?)"
    rf"(?P<when> (?:in|on) (?:{_DAY}|\d{{4}}))?\.$"
)
_NO_AGENT = re.compile(r"\b(?:Charter|Act|Decree|Law|Order|Treaty|Accident|Hand)\b")
_NOT_AFTER = "".join(rf"(?<!\b{word} )" for word in BEFORE_OTHERS)
_SAME = re.compile(rf"{_NOT_AFTER}\b(?:{'|'.join(SAME)})\b(?! one\b)", re.I)
_OBJECT = {"It": "it", "They": "them"}
_FRAMED = re.compile(rf"\b(?:that|which|who|was|were|is|are|and|by|{'|'.join(ACTIVE)})\b")


def reworded(text: str) -> str | None:
    """The sentence reworded by the first rule that applies; None if none does."""
    if _QUOTED.search(text):
        return None
    found = (said for rule in RULES if (said := rule(text)))
    return next((said for said in found if is_tellable(said) and said != text), None)


def turned_passive(text: str) -> str | None:
    """ "The ferry was built by Hugh Ballard in 1881." → "Hugh Ballard built the ferry in 1881." """
    found = _PASSIVE.match(text)
    if not found or _FRAMED.search(found["done"]) or _NO_AGENT.search(found["agent"]):
        return None
    done = _OBJECT.get(found["done"], lower_first(found["done"]))
    return _sentence(f"{found['agent']} {ACTIVE[found['verb']]} {done}{found['when'] or ''}")


def moved_day(text: str) -> str | None:
    """ "In 1902, the oven was sold." → "The oven was sold in 1902." """
    found = _WHEN.match(text)
    if not found or _SECOND_CLAUSE.search(found["rest"]):
        return None
    return _sentence(f"{found['rest']} {lower_first(found['when'])}")


def moved_clause(text: str) -> str | None:
    """ "When the wind falls, the lamp burns on." → "The lamp burns on when the wind falls." """
    found = _CLAUSE.match(text)
    if not found or _INVERTED.search(found["rest"]):
        return None
    if _SECOND_CLAUSE.search(found["rest"]) or _POINTING.search(found["rest"]):
        return None
    return _sentence(f"{found['rest']} {found['joint'].lower()} {found['clause']}")


def moved_aside(text: str) -> str | None:
    """ "However, the gauge was lost." → "The gauge was lost, however." """
    found = _ASIDE.match(text)
    return _sentence(f"{found['rest']}, {found['aside'].lower()}") if found else None


def shortened(text: str) -> str | None:
    """ "The mind does not rest." → "The mind doesn't rest." """
    if not _DENIED.search(text):
        return None
    return _DENIED.sub(lambda found: f"{found[1]}n't" if found[1] else "can't", text, count=1)


def spelt_out(text: str) -> str | None:
    """ "The mind can't rest." → "The mind cannot rest." """
    if not _SHORT.search(text):
        return None
    return _SHORT.sub(
        lambda found: f"{found[1]} not" if found[1] else "cannot" if found[0].startswith("can") else "will not",
        text,
        count=1,
    )


def other_relative(text: str) -> str | None:
    """ "a lamp that is lit" → "a lamp which is lit", and the other way round; of people only towards "that"."""
    for found in _RELATIVE.finditer(text):
        head, link = found["head"], found["link"]
        if link == "which" or not (head in PERSONS or head.endswith(("er", "or", "ist", "man", "ian"))):
            other = "that" if link == "which" else "which"
            return text[: found.start("link")] + other + text[found.end("link") :]
    return None


def same_word(text: str) -> str | None:
    """ "Nobody slept prior to the feast." → "No one slept prior to the feast." """
    found = _SAME.search(text)
    if not found:
        return None
    other = SAME[found[0].lower()]
    return text[: found.start()] + (other.capitalize() if found[0][0].isupper() else other) + text[found.end() :]


def _sentence(said: str) -> str:
    return f"{said[0].upper()}{said[1:]}."


RULES: tuple[Rule, ...] = (
    turned_passive, moved_day, moved_clause, moved_aside, shortened, spelt_out, other_relative, same_word,
)  # fmt: skip
