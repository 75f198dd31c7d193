"""Notes mentioned in words, such as "as note 3 says".

Readers see other numbers, so the mention becomes "as the note says" and a marker. "note" is also a verb ("please note 3
things"), so it counts only before a verb of saying or the end of its clause.
"""

import re
from dataclasses import dataclass

from chat.answering.domain.stream.markers import NUMBERS, expand
from chat.answering.domain.stream.window import NeedMore, Window

_WORDS = frozenset("note notes footnote footnotes source sources citation citations reference references".split())
_LETTERS = re.compile(r"[A-Za-z]+")
_MENTION = re.compile(rf"(?P<word>[A-Za-z]+)[ \u00a0]+(?P<numbers>{NUMBERS})(?P<after>.*)")
_VERB_OR_CLAUSE_END = re.compile(
    r"\s+(?:says?|states?|explains?|tells?|shows?|describes?|mentions?|adds?|makes?|puts?|gives?|confirms?|notes?|is|are|"
    r"has|have|also|teaches|speaks?|refers?|suggests?|indicates?|above|below)\b|\s*(?:[.,;:!?)\]”]|$)"
)
_DETERMINED = re.compile(
    r"\b(?:the|this|that|these|those|a|an|my|your|our|its|his|her|their|each|every|both|which|no)\s*$", re.I
)
_LOOKAHEAD_CHARS = 48
_MENTION_INSIDE = re.compile(rf"\b(?:{'|'.join(_WORDS)})\s+[#№]?\d{{1,3}}\b", re.I)


@dataclass(frozen=True, slots=True)
class Mention:
    """length: of the mention, in characters. replacement: the text to show instead. numbers: the notes it names."""

    length: int
    replacement: str
    numbers: tuple[int, ...]


def contains_mention(text: str) -> bool:
    return bool(_MENTION_INSIDE.search(text))


def read_mention(window: Window, before: str) -> Mention | None:
    """The mention that starts here, at the start of a word. before: the text shown just before it."""
    found = _LETTERS.match(window.text, window.at)
    if not found:
        return None
    word = found[0].lower()
    if found.end() == len(window.text) and not window.ended:
        if any(known.startswith(word) for known in _WORDS):
            raise NeedMore
        return None
    if word not in _WORDS or not _is_number_next(window, len(word)):
        return None
    mention = _MENTION.fullmatch(window.ahead(_LOOKAHEAD_CHARS))
    if not mention or (word in ("note", "notes") and not _VERB_OR_CLAUSE_END.match(mention["after"])):
        return None
    replacement = mention["word"] if _DETERMINED.search(before) else _with_article(mention["word"])
    return Mention(mention.end("numbers"), replacement, expand(mention["numbers"]))


def _is_number_next(window: Window, offset: int) -> bool:
    while window.char(offset) in (" ", "\u00a0"):
        offset += 1
    return window.char(offset) != "" and (window.char(offset).isdigit() or window.char(offset) in "#№^")


def _with_article(word: str) -> str:
    return f"The {word.lower()}" if word[0].isupper() else f"the {word}"
