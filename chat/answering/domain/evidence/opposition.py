"""Whether two sentences of different sources say opposite things of one subject.

Words decide where the sentences are nearly the same but for a negation, a number, an opposite or an exchange; else a
verifier that reads each beside the other. In doubt they do not oppose each other. Evidence: docs/thresholds.md.
"""

import re
from dataclasses import dataclass

from chat.answering.domain.english import bare_source, objection_kinds
from chat.answering.domain.words import Stem, words_in
from corpus.domain.text.sentences import is_question

_PLACE = re.compile(r"\b\d+[.:]\d+(?:[-–]\d+)?")  # the numbers of a verse: where something stands, not what is said
OPPOSING = frozenset({"negation", "opposite", "swapped"})


@dataclass(frozen=True, slots=True)
class OppositionRules:
    """shared, share: common content words, and their share of the shorter sentence's, for one subject. words_shared,
    words_share: the same where words alone decide. contrary, contrary_back: a verifier's contradiction of one by the
    other, 0..1, and the least the other way round.
    """

    shared: int = 2
    share: float = 0.5
    words_shared: int = 3
    words_share: float = 0.66
    contrary: float = 0.6
    contrary_back: float = 0.4


def have_one_subject(one: str, other: str, stem: Stem, rules: OppositionRules) -> bool:
    """Whether two statements have enough content words in common to be compared."""
    return _have_common(one, other, stem, rules.shared, rules.share)


def opposed_in_words(one: str, other: str, stem: Stem, rules: OppositionRules) -> bool:
    """Whether one statement is nearly the other but for a word that turns it around."""
    if not _have_common(one, other, stem, rules.words_shared, rules.words_share):
        return False
    one, other = (_PLACE.sub(" ", text) for text in (one, other))
    there = objection_kinds(one, bare_source(other, stem), stem)
    back = objection_kinds(other, bare_source(one, stem), stem)
    return bool((there | back) & OPPOSING) or "number" in there & back


def opposed_in_reading(there: float, back: float, rules: OppositionRules) -> bool:
    """there, back: a verifier's contradiction of each by the other, 0..1."""
    return max(there, back) >= rules.contrary and min(there, back) >= rules.contrary_back


def _have_common(one: str, other: str, stem: Stem, number: int, share: float) -> bool:
    if is_question(one) or is_question(other):
        return False
    words = [{word.stem for word in words_in(text, stem) if word.is_content} for text in (one, other)]
    common = len(words[0] & words[1])
    return common >= number and common >= share * min(map(len, words))
