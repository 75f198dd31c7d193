"""Whether two sentences of different sources say opposite things of one subject.

Words decide where the sentences are nearly the same but for a negation, a number, an opposite or an exchange; else a
verifier that reads each beside the other. In doubt they do not oppose each other. Evidence: docs/thresholds.md.
"""

from dataclasses import dataclass

from chat.answering.domain.english import bare_source, objection_kinds
from chat.answering.domain.words import Stem, words_in
from corpus.domain.text.sentences import is_question

OPPOSING = frozenset({"negation", "opposite", "swapped"})


@dataclass(frozen=True, slots=True)
class OppositionRules:
    """shared, share: common content words, and their share of the shorter sentence's, for one subject. by_words:
    the share from which words alone decide. contrary, contrary_back: a verifier's contradiction of one by the other,
    0..1, and the least the other way round.
    """

    shared: int = 2
    share: float = 0.5
    by_words: float = 0.66
    contrary: float = 0.6
    contrary_back: float = 0.25


def common_share(one: str, other: str, stem: Stem, rules: OppositionRules) -> float:
    """The share of the shorter sentence's content words that both have, 0..1; 0 for too few, and for a question."""
    if is_question(one) or is_question(other):
        return 0.0
    words = [{word.stem for word in words_in(text, stem) if word.is_content} for text in (one, other)]
    common = len(words[0] & words[1])
    return common / min(map(len, words)) if common >= rules.shared else 0.0


def opposed_in_words(one: str, other: str, stem: Stem) -> bool:
    """Whether one is the other but for a word that turns it around. For sentences with a high `common_share`."""
    there = objection_kinds(one, bare_source(other, stem), stem)
    back = objection_kinds(other, bare_source(one, stem), stem)
    return bool((there | back) & OPPOSING) or "number" in there & back


def opposed_in_reading(there: float, back: float, rules: OppositionRules) -> bool:
    """there, back: a verifier's contradiction of each by the other, 0..1."""
    return max(there, back) >= rules.contrary and min(there, back) >= rules.contrary_back
