"""Folds text so that search matches across scripts, accents and spellings."""

import functools
import re
import sys
import unicodedata

from .scripts import latin
from .transliteration import one_spelling

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_COMBINING = dict.fromkeys(code for code in range(sys.maxunicode + 1) if unicodedata.combining(chr(code)))
_APOSTROPHES = re.compile(r"[’'ʼ`]")
_NOT_WORD = re.compile(r"[^\w\s]|_")


def fold(text: str) -> str:
    """`text` case-folded, without diacritics or punctuation, single-spaced, in Latin letters. Idempotent.

    All spellings of a Sanskrit word fold alike: Varṇāśrama-dharma, varnashrama dharma and वर्णाश्रमधर्म begin with
    varnasrama. English words keep their spelling (see corpus.domain.text.transliteration).
    """
    plain = text.lower() if text.isascii() else _plain(text)
    words = _NOT_WORD.sub(" ", _APOSTROPHES.sub("", plain)).split()
    return " ".join(map(_spelled, words))


def _plain(text: str) -> str:
    # Again, because stripping marks can yield a capital.
    return strip_diacritics(latin(text).casefold().translate(_LETTERS)).casefold()


@functools.lru_cache(maxsize=200_000)
def _spelled(word: str) -> str:
    return one_spelling(word)


def strip_diacritics(text: str) -> str:
    """`text` without combining marks, in composed form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", text).translate(_COMBINING))
