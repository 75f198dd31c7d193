"""Finds the titles of other sources that a passage names."""

import re
from collections.abc import Container, Sequence

from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import sentence_spans

LONGEST_TITLE = 8  # words; texts abbreviate longer titles
SHORTEST_WORD = 4  # letters of a single-word title

_WORD = re.compile(r"\w[\w’'-]*")
_BRACKETED = re.compile(r"\s*\([^)]*\)\s*$")  # the qualifier in "Mercury (planet)" is not spoken


def title_key(title: str) -> str:
    """A folded title as texts name it; "" where it is too long or too short to recognise."""
    key = fold(_BRACKETED.sub("", title))
    words = key.split()
    return key if 1 < len(words) <= LONGEST_TITLE or (len(words) == 1 and len(key) >= SHORTEST_WORD) else ""


def titles_named(text: str, known: Container[str]) -> list[str]:
    """The known title keys that the text names, each once, in order; of overlapping ones the longest.

    A title must begin and end with a capital or digit. A single word does not count at the start of a sentence, where
    every word has a capital. Scripts without capitals name nothing.
    """
    found: dict[str, None] = {}
    for start, end in sentence_spans(text):
        words = _WORD.findall(text[start:end])
        folded = [fold(word) for word in words]
        place = 0
        while place < len(words):
            length = _longest(words, folded, place, known)
            if length:
                found[" ".join(folded[place : place + length])] = None
            place += length or 1
    return list(found)


def _longest(words: Sequence[str], folded: Sequence[str], place: int, known: Container[str]) -> int:
    """The number of words in the longest known title that begins here; 0 for none."""
    if not _stands_out(words[place]):
        return 0
    for length in range(min(LONGEST_TITLE, len(words) - place), 0, -1):
        key = " ".join(folded[place : place + length])
        if _stands_out(words[place + length - 1]) and (" " in key or place) and key in known:
            return length
    return 0


def _stands_out(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()
