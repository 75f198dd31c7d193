"""Quotations in a sentence, and where a source contains them word for word.

Differences in white space, quotation marks, dashes, case and diacritics are ignored. An ellipsis may omit words.
"""

import re
from collections.abc import Iterator, Sequence

from chat.answering.domain.words import SentenceWords, Words
from corpus.domain.passage import Span
from corpus.domain.text.folding import fold

_QUOTED = re.compile(r"[“\"«„]([^“”\"«»„]{2,600})[”\"»]|(?<!\w)‘([^‘]{2,600}?)’(?!\w)")
_ELLIPSIS = re.compile(r"\[?(?:…|\.\s?\.\s?\.)\]?")


def quotations(text: str, *, words: int) -> Iterator[str]:
    """Quotations in `text` of at least `words` words."""
    for found in _QUOTED.finditer(text):
        quote = found[1] or found[2]
        if len(quote.split()) >= words:
            yield quote


def find_quotation(quote: str, passage: Sequence[SentenceWords]) -> Span | None:
    """The characters of a passage from the quotation's first part to its last; None if it is not there."""
    words: Words = tuple(word for sentence in passage for word in sentence.words)
    folded = _folded(words)
    word_of = [index for index, word in enumerate(words) for _ in word.folded.split()]
    first = last = None
    at = 0
    for part in filter(None, map(fold, _ELLIPSIS.split(quote))):
        found = _find_run(part.split(), folded, at)
        if found is None:
            return None
        first = found if first is None else first
        at = last = found + len(part.split())
    if first is None or last is None:
        return None
    return words[word_of[first]].start, words[word_of[last - 1]].end


def contains_word_for_word(text: str, passage: Sequence[SentenceWords]) -> bool:
    """Whether one sentence of the passage contains the words of `text` in one run, ignoring punctuation and case."""
    run = fold(text).split()
    return bool(run) and any(_find_run(run, _folded(sentence.words), 0) is not None for sentence in passage)


def _folded(words: Words) -> list[str]:
    return [part for word in words for part in word.folded.split()]


def _find_run(run: Sequence[str], folded: Sequence[str], start: int) -> int | None:
    size = len(run)
    return next((at for at in range(start, len(folded) - size + 1) if list(folded[at : at + size]) == list(run)), None)
