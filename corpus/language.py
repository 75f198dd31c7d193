"""Words as the search index sees them, computed here so that sentences can be scored without the database."""

import functools
import re

import snowballstemmer

from corpus.domain.folding import fold
from corpus.domain.stopwords import STOPWORDS

_WORD = re.compile(r"\w+")
_STEMMER = snowballstemmer.stemmer("english")


@functools.lru_cache(maxsize=100_000)
def lexeme(word: str) -> str:
    """Return the stem of one folded English word."""
    return str(_STEMMER.stemWord(word))


def lexemes(text: str) -> tuple[str, ...]:
    """Return the stems of `text`'s words in order, function words left out."""
    return tuple(lexeme(word) for word in _WORD.findall(fold(text)) if word not in STOPWORDS)
