"""Devanagari to Latin letters (IAST, ISO 15919), letter by letter.

An inherent a is always written. Hindi nukta letters are read as their plain ones.
"""

import re
import unicodedata

_CONSONANTS = dict(
    zip(
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहळ",
        "k kh g gh ṅ c ch j jh ñ ṭ ṭh ḍ ḍh ṇ t th d dh n p ph b bh m y r l v ś ṣ s h ḷ".split(),
        strict=True,
    )
)
_VOWELS = dict(zip("अआइईउऊऋॠऌएऐओऔ", "a ā i ī u ū ṛ ṝ ḷ e ai o au".split(), strict=True))
_SIGNS = dict(zip("ािीुूृॄॢेैोौ", "ā i ī u ū ṛ ṝ ḷ e ai o au".split(), strict=True)) | {"्": ""}
_MARKS = {"ं": "ṃ", "ँ": "ṃ", "ः": "ḥ", "ऽ": "'", "ॐ": "oṃ", "।": ".", "॥": ".", "॰": "."}
_DIGITS = dict(zip("०१२३४५६७८९", "0123456789", strict=True))
_LETTERS = _VOWELS | _MARKS | _DIGITS
_NUKTA = "़"

_DEVANAGARI = re.compile(r"[\u0900-\u097F]+")
_SYLLABLE = re.compile(f"([{''.join(_CONSONANTS)}])([{''.join(_SIGNS)}]?)|(.)", re.DOTALL)


def latin(text: str) -> str:
    """`text` with its Devanagari in IAST: कृष्ण → kṛṣṇa. Linear in its length."""
    return _DEVANAGARI.sub(lambda run: _SYLLABLE.sub(_letter, _plain(run.group())), text)


def _plain(run: str) -> str:
    return unicodedata.normalize("NFD", run).replace(_NUKTA, "")


def _letter(found: re.Match[str]) -> str:
    consonant, sign, other = found.groups()
    if consonant:
        return _CONSONANTS[consonant] + (_SIGNS[sign] if sign else "a")
    return _LETTERS.get(other) or _SIGNS.get(other, other)
