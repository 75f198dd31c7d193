"""When two texts say the same: the share of word sequences they have in common."""

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
    """threshold: likeness (0..1) from which a chunk duplicates another. lecture: the same for two transcripts of a talk
    of one title. words: length of the sequences that are compared."""

    threshold: float = 0.9
    lecture: float = 0.5
    words: int = 3


def wordings(folded: str, words: int) -> frozenset[str]:
    """Return every sequence of `words` words of a folded text; of a shorter text, the whole."""
    found = _WORD.findall(folded)
    if len(found) <= words:
        return frozenset({" ".join(found)} if found else ())
    return frozenset(" ".join(found[at : at + words]) for at in range(len(found) - words + 1))


def likeness(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Return the Jaccard index of two sets of wordings, 0..1; 0 where both are empty."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0


def is_duplicate(alike: float, one: str, other: str, rules: DuplicateRules) -> bool:
    """Do two folded texts of this likeness say the same? Never where they differ in a number or a negation."""
    return alike >= rules.threshold and _decisive(one) == _decisive(other)


def is_retranscription(one: str, other: str, rules: DuplicateRules) -> bool:
    """Are two folded transcripts of one title the same talk?"""
    return likeness(wordings(one, rules.words), wordings(other, rules.words)) >= rules.lecture


def serves_rather(timed: bool, other_timed: bool) -> bool:
    """Should a chunk serve in place of its duplicate that serves now? Only where it can be played and the other not."""
    return timed and not other_timed


def _decisive(folded: str) -> list[str]:
    """Return the numbers and negations of a text, in their order: a word of these turns a sentence round."""
    return [word for word in _WORD.findall(folded) if word in _NEGATIONS or word[0].isdigit()]
