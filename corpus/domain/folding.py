"""Folding text for search, so that what a reader types meets what a lecture says."""

import re
import unicodedata

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_APOSTROPHES = re.compile(r"[’'ʼ`]")
_NOT_WORD = re.compile(r"[^\w\s]|_")
_SPACES = re.compile(r"\s+")


def fold(text: str) -> str:
    """Return `text` case-folded, without diacritics or punctuation, single-spaced. Idempotent.

    Varṇāśrama-dharma → varnasrama dharma.
    """
    plain = strip_diacritics(text.casefold().translate(_LETTERS)).casefold()  # taking marks off can yield a capital
    return _SPACES.sub(" ", _NOT_WORD.sub(" ", _APOSTROPHES.sub("", plain))).strip()


def strip_diacritics(text: str) -> str:
    """Return `text` without combining marks, in composed form."""
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))
