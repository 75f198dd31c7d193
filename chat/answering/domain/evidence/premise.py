"""What a question takes for granted by name: "Which admiral did Thomas Elwood serve?" supposes a Thomas Elwood.

Where no passage holds all the names and numbers of a question together, its premise may be false, or asked of the wrong
man (the near-miss twins of the golden set, shared/design/evaluation.md).
"""

from collections.abc import Iterable

from chat.answering.domain.terms import EvidenceTerms, missing, terms_of
from chat.answering.domain.words import Words

FLAG = "false_premise"
NOT_NAMES = frozenset({"ok", "okay", "god", "sanskrit"})  # written large, and said of any passage here
_NOTHING = EvidenceTerms(frozenset(), frozenset(), frozenset(), frozenset())


def takes_names_for_granted(question: Words) -> bool:
    """Does a question hold a name, a number or a technical term?"""
    return bool(terms_of(_naming(question), _NOTHING))


def names_share(question: Words, passages: Iterable[EvidenceTerms]) -> float:
    """Return the share, 0..1, of a question's names and numbers that one passage holds at best; 1 where it has none."""
    best, naming = 0.0, _naming(question)
    for held in passages:
        terms = terms_of(naming, held)
        if not terms:
            return 1.0
        best = max(best, 1 - len(missing(terms, "name", "number", "word")) / len(terms))
    return best


def _naming(question: Words) -> Words:
    return tuple(word for word in question if word.folded not in NOT_NAMES)
