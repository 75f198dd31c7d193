"""How facts are compared by their words: stems, with negations kept."""

from corpus.domain.text.folding import fold
from corpus.language import lexemes

_NEGATIONS = frozenset("not never no none neither nor cannot without".split())


def words_key(text: str) -> tuple[str, ...]:
    """The stems of a text in order, without function words; its folded words where it has no others."""
    words = fold(text).split()
    negated = ("not",) if _NEGATIONS.intersection(words) or "n't" in fold(text) else ()
    return (*negated, *lexemes(text)) or tuple(words)


def subject_key(subject: str) -> str:
    return " ".join(words_key(subject))[:200]
