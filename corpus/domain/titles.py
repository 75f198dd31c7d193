"""Titles that a text names: a passage that names another source points to where more is said."""

import re
from collections.abc import Container, Sequence

from corpus.domain.text.folding import fold
from corpus.domain.text.sentences import sentence_spans

LONGEST_TITLE = 8  # words; of longer titles a text says but a part
SHORTEST_WORD = 4  # letters of a title of one word

_WORD = re.compile(r"\w[\w’'-]*")
_BRACKETED = re.compile(r"\s*\([^)]*\)\s*$")  # "Mercury (planet)": what tells it from its namesakes is not said


def title_key(title: str) -> str:
    """Return a title as texts name it, folded; "" where nothing of it can be named."""
    key = fold(_BRACKETED.sub("", title))
    words = key.split()
    return key if 1 < len(words) <= LONGEST_TITLE or (len(words) == 1 and len(key) >= SHORTEST_WORD) else ""


def titles_named(text: str, known: Container[str]) -> list[str]:
    """Return the known keys of titles that the text names, each once, as they come; of overlapping ones the longest.

    A title is named where it begins and ends with a capital or a figure; one of a single word only where no sentence
    begins with it, for there every word has a capital. Scripts without capitals name nothing.
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
    """Return how many words the longest known title takes that begins here; 0 for none."""
    if not _stands_out(words[place]):
        return 0
    for length in range(min(LONGEST_TITLE, len(words) - place), 0, -1):
        key = " ".join(folded[place : place + length])
        if _stands_out(words[place + length - 1]) and (" " in key or place) and key in known:
            return length
    return 0


def _stands_out(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()
