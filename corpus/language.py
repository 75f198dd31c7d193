"""Words as the search index sees them, computed here so that sentences can be scored without the database."""

import functools
import re
import threading

import snowballstemmer

from corpus.domain.text.folding import fold
from corpus.domain.text.stopwords import STOPWORDS

# Language → Snowball stemmer, which is also the name of PostgreSQL's text search configuration. A language that is not
# here is searched unstemmed. The search vector's expression repeats the table, so a new one needs a migration.
STEMMED = {
    "en": "english", "de": "german", "es": "spanish", "fr": "french", "it": "italian", "nl": "dutch",
    "pt": "portuguese", "ru": "russian",
}  # fmt: skip
_WORD = re.compile(r"\w+")
_STEMMERS = {language: snowballstemmer.stemmer(name) for language, name in STEMMED.items()}
_stemming = threading.Lock()  # a stemmer keeps the word it works on; sentences are checked on many threads


@functools.lru_cache(maxsize=100_000)
def lexeme(word: str, language: str = "en") -> str:
    """Return the stem of one folded word; the word itself in a language without a stemmer."""
    stemmer = _STEMMERS.get(language)
    if not stemmer:
        return word
    with _stemming:
        return str(stemmer.stemWord(word))


def stemming_of(language: str) -> str:
    """Return the language that a question's words are stemmed by: its own, or English where that has no stemmer."""
    return language if language in STEMMED else "en"


def lexemes(text: str, language: str = "en") -> tuple[str, ...]:
    """Return the stems of `text`'s words in order, English function words left out."""
    return tuple(lexeme(word, language) for word in _WORD.findall(fold(text)) if word not in STOPWORDS)
