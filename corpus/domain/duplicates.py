"""When two texts are duplicates, by the word sequences they share."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

_WORD = re.compile(r"\w+")
_NEGATIONS = frozenset(
    "no not none never neither nor without cannot nothing nobody nowhere dont doesnt didnt isnt arent wasnt werent "
    "cant couldnt wont wouldnt shouldnt hasnt havent hadnt".split()
)


@dataclass(frozen=True, slots=True)
class DuplicateRules:
    """threshold: likeness (0..1) from which a chunk is a duplicate. lecture: likeness from which two transcripts of the
    same title are one talk. words: length of the compared sequences.
    """

    threshold: float = 0.9
    lecture: float = 0.5
    words: int = 3


def wordings(folded: str, words: int) -> frozenset[str]:
    """Every sequence of `words` words of a folded text; of a shorter text, the whole text."""
    found = _WORD.findall(folded)
    if len(found) <= words:
        return frozenset({" ".join(found)} if found else ())
    return frozenset(" ".join(found[at : at + words]) for at in range(len(found) - words + 1))


def likeness(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """The Jaccard index of two sets of word sequences, 0..1; 0 where both are empty."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0


def is_duplicate(alike: float, one: str, other: str, rules: DuplicateRules) -> bool:
    """Whether two folded texts of this likeness are duplicates. A different number or negation rules it out."""
    return alike >= rules.threshold and _decisive(one) == _decisive(other)


def is_retranscription(one: str, other: str, rules: DuplicateRules) -> bool:
    """Whether two folded transcripts of the same title are of one talk."""
    return likeness(wordings(one, rules.words), wordings(other, rules.words)) >= rules.lecture


def should_replace(timed: bool, other_timed: bool) -> bool:
    """Whether a chunk should replace its retrievable duplicate: only if it alone has times to play."""
    return timed and not other_timed


def _decisive(folded: str) -> list[str]:
    """Numbers and negations of a text, in order: a change in any of them can reverse a sentence."""
    return [word for word in _WORD.findall(folded) if word in _NEGATIONS or word[0].isdigit()]
