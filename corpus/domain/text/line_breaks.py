"""Rejoins words that a printed or scanned page hyphenates at the end of a line."""

import re
from collections.abc import Callable

from .traced import TracedText

_BREAK = re.compile(r"(?<=\w)(?P<mark>[-\u2010\u00ad])[^\S\n]*\n[^\S\n]*(?=\w)")
# The word before the break is read once, from its beginning: a word may have a million letters.
_DIVIDED = re.compile(rf"(?:(?<!\w)\w++)?{_BREAK.pattern}\w*")
_WORD = re.compile(r"\w+(?:[-\u2010]\w+)*")
_BEFORE = re.compile(r"\w+$")
_AFTER = re.compile(r"\w+")
_LONGEST = 60  # characters read on either side


def unbroken(text: TracedText) -> TracedText:
    """`text` (LF line ends) with hyphenated words joined.

    Soft hyphens go. A hyphen stays if the text writes the compound with it elsewhere, if both halves are words of the
    text and the joined word is not, or if the next letter is not lower case.
    """
    if not _BREAK.search(text.text):
        return text
    return text.replaced(_BREAK, _joiner(_words(text.text)))


def _words(text: str) -> frozenset[str]:
    """Case-folded words and compounds that are not broken across lines."""
    return frozenset(word.casefold() for word in _WORD.findall(_DIVIDED.sub(" ", text)))


def _joiner(words: frozenset[str]) -> Callable[[re.Match[str]], str]:
    def join(match: re.Match[str]) -> str:
        if match["mark"] == "\u00ad":
            return ""
        before = _BEFORE.search(match.string[max(0, match.start() - _LONGEST) : match.start()])
        after = _AFTER.match(match.string[match.end() : match.end() + _LONGEST])
        return "-" if before and after and _is_compound(before[0], after[0], words) else ""

    return join


def _is_compound(before: str, after: str, words: frozenset[str]) -> bool:
    left, right = before.casefold(), after.casefold()
    if not after[0].islower() or f"{left}-{right}" in words:
        return True
    return left + right not in words and left in words and right in words
