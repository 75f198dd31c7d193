"""Greetings and gibberish, which open no knowledge gap: no editor could answer them.

Small talk is answered before any search; this is for what gets past it, such as "heyyy" and "asdf qwer".
"""

import re

from corpus.domain.text.folding import strip_diacritics
from corpus.domain.text.stopwords import STOPWORDS

_SMALL_WORDS = frozenset(
    """hi hey hello yo sup hola hallo hiya howdy namaste ok okay k thanks thank thx ty you lol lmao haha hehe bye please
    pls goodbye cool nice wow great yes no yep yeah nope nah hm hmm um uh oh ah test testing tests foo bar baz lorem
    ipsum abc xyz bot there good morning evening day sir buddy friend bro dude""".split()
)
_WORD = re.compile(r"\w+")
_LATIN = re.compile(r"[a-z]+")
_STRETCHED = re.compile(r"(.)\1{2,}")
_REPEATED = re.compile(r"(?=.{5,})(.{1,3}?)\1{2,}.{0,2}|(?=.{6,})(.{3,4})\2")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_WALKS = frozenset(
    row[place : place + 4] for line in _ROWS for row in (line, line[::-1]) for place in range(len(row) - 3)
)
_HARD = re.compile(r"[bcdfgjkmnpqstvwxz]{5,}")  # "Krishna" and "Kṛṣṇa" have r and h between
_VOWEL = re.compile(r"[aeiouyr]")


def is_noise(question: str) -> bool:
    """Whether every content word is a greeting, a filler, or no word of any language.

    A question of function words alone, such as "Who am I?", is a question.
    """
    words = _WORD.findall(strip_diacritics(question.casefold()).replace("'", "").replace("’", ""))
    content = [word for word in words if word not in STOPWORDS]
    return not any(map(_says_something, content)) if content else not words


def _says_something(word: str) -> bool:
    if not any(letter.isalpha() for letter in word):
        return False
    if not _LATIN.fullmatch(word):
        return True  # another script, or an address such as "2.13a"
    return not (_STRETCHED.sub(r"\1", word) in _SMALL_WORDS or _is_mashed(word))


def _is_mashed(word: str) -> bool:
    """Keys struck at random, e.g. "asdfgh", "sdkjfhskdjfh", "lalalala"."""
    walks = any(walk in word for walk in _WALKS)
    return bool(
        walks
        or _STRETCHED.search(word)
        or _HARD.search(word)
        or _REPEATED.fullmatch(word)
        or (not _VOWEL.search(word) and (len(word) > 3 or any(len(word) > 2 and word in row for row in _ROWS)))
    )
