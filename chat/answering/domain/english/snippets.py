"""Quotations within a sentence, and where they stand in a source, word for word.

White space, quotation marks, dashes, case and diacritics may differ; an ellipsis may leave words out, in order.
"""

import re
from collections.abc import Iterator, Sequence

from chat.answering.domain.words import SentenceWords, Words
from corpus.domain.passage import Span
from corpus.domain.text.folding import fold

_QUOTED = re.compile(r"[“\"«„]([^“”\"«»„]{2,600})[”\"»]|(?<!\w)‘([^‘]{2,600}?)’(?!\w)")
_ELLIPSIS = re.compile(r"\[?(?:…|\.\s?\.\s?\.)\]?")


def quotations(text: str, *, words: int) -> Iterator[str]:
    """Yield the quotations in `text` of at least so many words."""
    for found in _QUOTED.finditer(text):
        quote = found[1] or found[2]
        if len(quote.split()) >= words:
            yield quote


def find_quotation(quote: str, passage: Sequence[SentenceWords]) -> Span | None:
    """Return the characters of a passage that the quotation repeats, from its first part to its last, or None."""
    words: Words = tuple(word for sentence in passage for word in sentence.words)
    held = _folded(words)
    owner = [place for place, word in enumerate(words) for _ in word.folded.split()]
    first = last = None
    at = 0
    for part in filter(None, map(fold, _ELLIPSIS.split(quote))):
        found = _run(part.split(), held, at)
        if found is None:
            return None
        first = found if first is None else first
        at = last = found + len(part.split())
    if first is None or last is None:
        return None
    return words[owner[first]].start, words[owner[last - 1]].end


def stands_word_for_word(text: str, passage: Sequence[SentenceWords]) -> bool:
    """Does one sentence of the passage hold all words of the text in one run? Marks and case may differ."""
    wanted = fold(text).split()
    return bool(wanted) and any(_run(wanted, _folded(sentence.words), 0) is not None for sentence in passage)


def _folded(words: Words) -> list[str]:
    return [part for word in words for part in word.folded.split()]


def _run(wanted: Sequence[str], held: Sequence[str], start: int) -> int | None:
    size = len(wanted)
    return next((at for at in range(start, len(held) - size + 1) if list(held[at : at + size]) == list(wanted)), None)
