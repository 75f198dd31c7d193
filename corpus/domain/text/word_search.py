"""Finds words in a text however they are written: accents, scripts and spellings are folded as for the search."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from .folding import fold

Span = tuple[int, int]
_JOINS = frozenset("’'ʼ`\u200c\u200d")  # within a word


@dataclass(frozen=True, slots=True)
class FoldedWord:
    """A word of a text at [start, end). folded: as look-ups compare it. plain: in lower case."""

    start: int
    end: int
    folded: str
    plain: str


def find_words(text: str, query: str) -> list[Span]:
    """Where the words of `query` stand one after another, in order and disjoint. The last may be a word's beginning.

    None for a query without words.
    """
    wanted = list(folded_words(query))
    if not wanted:
        return []
    words = list(folded_words(text))
    found: list[Span] = []
    at = 0
    while at + len(wanted) <= len(words):
        if _stands_at(words, at, wanted):
            found.append((words[at].start, words[at + len(wanted) - 1].end))
            at += len(wanted)
        else:
            at += 1
    return found


def folded_words(text: str) -> Iterator[FoldedWord]:
    """The words of a text, without those that fold to nothing."""
    at = 0
    for is_word, characters in groupby(text, _is_of_a_word):
        start, at = at, at + sum(1 for _ in characters)
        if is_word and (folded := fold(text[start:at])):
            yield FoldedWord(start, at, folded, text[start:at].lower())


def _is_of_a_word(character: str) -> bool:
    return character.isalnum() or character in _JOINS or unicodedata.category(character)[0] == "M"


def _stands_at(words: Sequence[FoldedWord], at: int, wanted: Sequence[FoldedWord]) -> bool:
    *whole, last = wanted
    return all(words[at + n].folded == word.folded for n, word in enumerate(whole)) and (
        words[at + len(whole)].folded.startswith(last.folded) or words[at + len(whole)].plain.startswith(last.plain)
    )
