"""Folding text for search, so that what a reader types meets what a lecture says, in whichever script or spelling."""

import functools
import re
import unicodedata

from .scripts import latin
from .transliteration import one_spelling

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_APOSTROPHES = re.compile(r"[’'ʼ`]")
_NOT_WORD = re.compile(r"[^\w\s]|_")


def fold(text: str) -> str:
    """Return `text` case-folded, without diacritics or punctuation, single-spaced, in Latin letters. Idempotent.

    A Sanskrit word has one form however it is written: Varṇāśrama-dharma, varnashrama dharma and वर्णाश्रमधर्म all
    begin with varnasrama. English words keep their spelling (corpus.domain.text.transliteration says which is which).
    """
    plain = text.lower() if text.isascii() else _plain(text)
    words = _NOT_WORD.sub(" ", _APOSTROPHES.sub("", plain)).split()
    return " ".join(map(_spelled, words))


def _plain(text: str) -> str:
    # The second time because taking marks off can yield a capital.
    return strip_diacritics(latin(text).casefold().translate(_LETTERS)).casefold()


@functools.lru_cache(maxsize=200_000)
def _spelled(word: str) -> str:
    return one_spelling(word)


def strip_diacritics(text: str) -> str:
    """Return `text` without combining marks, in composed form."""
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))
