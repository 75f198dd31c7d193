"""Finds the extent of brackets in a stream, and whether a bracket is in the position of a citation."""

import re
import unicodedata

from chat.answering.domain.stream.markers import PROSE, may_name_notes, read_round, read_square
from chat.answering.domain.stream.window import Window

OPENERS, CLOSERS = "[［【〔⟦⁅❲〖", "]］】〕⟧⁆❳〗"
ROUND = "(（"
RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"

_SQUARE_END = re.compile(rf"[\n{re.escape(OPENERS + CLOSERS)}]")
_ROUND_END = re.compile(rf"[\n{ROUND})）]")
_LETTERS = re.compile(r"[A-Za-z]+")
_SEPARATOR = re.compile(r"[ \t]*(?:[,;&/]|and\b)[ \t]*")
_SPACE = re.compile(r"[^\S\n]+")
_AFTER_WORDS = tuple(".!?…\"'”’»)]।॥。！？*_")
_CLAUSE_ENDS = ("", "\n", *".!?…,;।॥。！？，；、")
_INSIDE_CHARS, _LOOK_CHARS = 60, 12


def inside_square(window: Window, offset: int) -> tuple[str, bool, bool]:
    """The text from an opening bracket to the next bracket or line break; whether that closes it or opens another."""
    start = window.at + offset + 1
    stop = window.find(_SQUARE_END, offset + 1, _INSIDE_CHARS)
    if stop is None:
        return window.text[start : start + _INSIDE_CHARS], False, False
    end = window.char(stop)
    return window.text[start : window.at + stop], end in CLOSERS, end in OPENERS


def inside_round(window: Window, offset: int = 0) -> str:
    """The text between the round brackets at `offset` if it may name notes, otherwise ""."""
    first = window.char(offset + 1)
    if first.isalpha() and first.isascii():
        length = window.run(_LETTERS, offset + 1, _LOOK_CHARS)
        if not may_name_notes(window.text[window.at + offset + 1 : window.at + offset + 1 + length]):
            return ""
    elif not (first.isdigit() or first in tuple(OPENERS + RAISED_DIGITS + "^#№ ")):
        return ""
    stop = window.find(_ROUND_END, offset + 1, _INSIDE_CHARS)
    closed = stop is not None and window.char(stop) in ")）"
    return window.text[window.at + offset + 1 : window.at + stop] if stop and closed else ""


def closes_clause(window: Window, before: str, offset: int) -> bool:
    """Whether a round bracket ending at `offset` follows a word, and precedes a marker or the end of its clause."""
    last = before[-1:] or " "
    if not (last.isalnum() or last in _AFTER_WORDS or unicodedata.category(last).startswith("M")):
        return False
    start = offset + window.run(_SPACE, offset, _LOOK_CHARS)
    return window.char(start) in _CLAUSE_ENDS or _is_marker(window, start)


def _is_marker(window: Window, start: int) -> bool:
    """Whether a bracket of numbers, a raised digit or part of a marker starts here."""
    here = window.char(start)
    if here in tuple(ROUND):
        first = window.char(start + 1)
        if first.isdigit() or first in tuple(OPENERS):
            return True
        content = inside_round(window, start)
        return bool(content) and read_round(content) is not PROSE
    if here in tuple(OPENERS):
        content, closed, _ = inside_square(window, start)
        return not closed or read_square(content) is not PROSE
    return here in tuple(RAISED_DIGITS + CLOSERS + "^")


def between_markers(window: Window) -> int:
    """The length of a comma or an "and" that precedes a marker, otherwise 0."""
    if window.char() in " \t" and window.char(1) not in tuple(",;&/a \t"):
        return 0
    found = _SEPARATOR.match(head := window.ahead(_LOOK_CHARS))
    length = len(found[0]) if found else 0
    following = head[length : length + 1] if length else ""
    if following in tuple(OPENERS):
        content, closed, _ = inside_square(window, length)
        return length if closed and read_square(content) is not PROSE else 0
    return length if following in tuple(RAISED_DIGITS) else 0
