"""Stems words like the search index, so that sentences can be scored without the database."""

import functools
import re
import threading

import snowballstemmer

from corpus.domain.text.folding import fold
from corpus.domain.text.stopwords import STOPWORDS

# Language → Snowball stemmer, and name of the PostgreSQL text search configuration. Other languages are searched
# unstemmed. The search vector's expression repeats the table, so an addition needs a migration.
STEMMED = {
    "en": "english", "de": "german", "es": "spanish", "fr": "french", "it": "italian", "nl": "dutch",
    "pt": "portuguese", "ru": "russian",
}  # fmt: skip
_WORD = re.compile(r"\w+")
_STEMMERS = {language: snowballstemmer.stemmer(name) for language, name in STEMMED.items()}
_stemming = threading.Lock()  # a stemmer has state, and sentences are checked on many threads


@functools.lru_cache(maxsize=100_000)
def lexeme(word: str, language: str = "en") -> str:
    """The stem of a folded word; the word itself in a language without a stemmer."""
    stemmer = _STEMMERS.get(language)
    if not stemmer:
        return word
    with _stemming:
        return str(stemmer.stemWord(word))


def stemming_of(language: str) -> str:
    """The language for stemming a question: its own, or English without a stemmer."""
    return language if language in STEMMED else "en"


def lexemes(text: str, language: str = "en") -> tuple[str, ...]:
    """The stems of `text` in order, without English stopwords."""
    return tuple(lexeme(word, language) for word in _WORD.findall(fold(text)) if word not in STOPWORDS)
