"""Finds words in a text however they are written: accents, scripts and spellings are folded as for the search."""

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from .folding import fold

Span = tuple[int, int]
_RUN = re.compile(r"\S+")
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

    None for a query without words. Linear in the text.
    """
    wanted = list(folded_words(query))
    if not wanted:
        return []
    words = list(folded_words(text))
    found: list[Span] = []
    for at in range(len(words) - len(wanted) + 1):
        if _stands_at(words, at, wanted) and (not found or found[-1][1] <= words[at].start):
            found.append((words[at].start, words[at + len(wanted) - 1].end))
    return found


def folded_words(text: str) -> Iterator[FoldedWord]:
    """The words of a text, without those that fold to nothing."""
    for run in _RUN.finditer(text):
        written = run.group()
        for start, end in [(0, len(written))] if written.isalnum() else _words_in(written):
            if folded := _folded(written[start:end]):
                yield FoldedWord(run.start() + start, run.start() + end, folded, written[start:end].lower())


def _words_in(run: str) -> Iterator[Span]:
    at = 0
    for is_word, characters in groupby(run, _is_of_a_word):
        start, at = at, at + sum(1 for _ in characters)
        if is_word:
            yield start, at


@functools.lru_cache(maxsize=100_000)
def _folded(word: str) -> str:
    return fold(word)


def _is_of_a_word(character: str) -> bool:
    return character.isalnum() or character in _JOINS or unicodedata.category(character)[0] == "M"


def _stands_at(words: Sequence[FoldedWord], at: int, wanted: Sequence[FoldedWord]) -> bool:
    last, reached = wanted[-1], words[at + len(wanted) - 1]
    return (reached.folded.startswith(last.folded) or reached.plain.startswith(last.plain)) and all(
        words[at + n].folded == word.folded for n, word in enumerate(wanted[:-1])
    )
