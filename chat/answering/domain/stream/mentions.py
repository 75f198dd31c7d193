"""Notes named in words: "as note 3 says". Readers see other numbers: it becomes "as the note says" and a marker.

"note" is also a verb ("please note 3 things"), so it counts only before a verb of saying or the end of its clause.
"""

import re
from dataclasses import dataclass

from chat.answering.domain.stream.markers import NUMBERS, expand
from chat.answering.domain.stream.window import NeedMore, Window

_WORDS = frozenset("note notes footnote footnotes source sources citation citations reference references".split())
_LETTERS = re.compile(r"[A-Za-z]+")
_MENTION = re.compile(rf"(?P<word>[A-Za-z]+)[ \u00a0]+(?P<numbers>{NUMBERS})(?P<after>.*)")
_SAYS = re.compile(
    r"\s+(?:says?|states?|explains?|tells?|shows?|describes?|mentions?|adds?|makes?|puts?|gives?|confirms?|notes?|is|are|"
    r"has|have|also|teaches|speaks?|refers?|suggests?|indicates?|above|below)\b|\s*(?:[.,;:!?)\]”]|$)"
)
_DETERMINED = re.compile(
    r"\b(?:the|this|that|these|those|a|an|my|your|our|its|his|her|their|each|every|both|which|no)\s*$", re.I
)
_LOOKED_AT = 48
_INSIDE = re.compile(rf"\b(?:{'|'.join(_WORDS)})\s+[#№]?\d{{1,3}}\b", re.I)


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention's length, what to say in its place, and the notes it names."""

    length: int
    said: str
    numbers: tuple[int, ...]


def holds_mention(text: str) -> bool:
    return bool(_INSIDE.search(text))


def read_mention(window: Window, before: str) -> Mention | None:
    """Return the mention that begins here, at the start of a word; `before` is what was shown just before."""
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
    mention = _MENTION.fullmatch(window.ahead(_LOOKED_AT))
    if not mention or (word in ("note", "notes") and not _SAYS.match(mention["after"])):
        return None
    said = mention["word"] if _DETERMINED.search(before) else _with_article(mention["word"])
    return Mention(mention.end("numbers"), said, expand(mention["numbers"]))


def _is_number_next(window: Window, offset: int) -> bool:
    while window.char(offset) in (" ", "\u00a0"):
        offset += 1
    return window.char(offset) != "" and (window.char(offset).isdigit() or window.char(offset) in "#№^")


def _with_article(word: str) -> str:
    return f"The {word.lower()}" if word[0].isupper() else f"the {word}"
