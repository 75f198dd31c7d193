"""What a bracket may say: which notes, cards and actions it names, that it is malformed, or that it is prose.

Markers are `[^n]`, `[verse:n]`, `[chapter:n]` and `[action:n]` (shared/design/pipeline.md, stage 4); the rest are the
habits of real models for the same thing. Numbers have at most three digits: four in brackets are a year.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["note", "verse", "chapter", "action"]

LONGEST_RANGE = 30
# Words by which models call what they were given.
NOTE_WORDS = r"(?:foot)?notes?|fn|sources?|refs?|references?|citations?|cites?|docs?|documents?|passages?|excerpts?"

_NUMBER = r"[\^#№]?\s*\d{1,3}(?!\d)"
_ITEM = rf"{_NUMBER}(?:\s*[-–—]\s*{_NUMBER})?"
NUMBERS = rf"{_ITEM}(?:(?:\s*(?:[,;&/]|\band\b)\s*|\s+){_ITEM})*"

_ONLY_NUMBERS = re.compile(rf"\s*{NUMBERS}[\s,;.]*")
_ONE = re.compile(r"(\d{1,3})(?:\s*[-–—]\s*[\^#№]?\s*(\d{1,3}))?")
_LOCATED = re.compile(rf"\s*({NUMBERS})\s*(?:[,:]\s*(?:pp?|pages?|paras?|lines?|¶)\b.*|†.*)", re.I)
_WORDED = re.compile(rf"\s*(?:see\s+|cf\.?\s+)?(?:{NOTE_WORDS})\s*[.:#№]?\s*({NUMBERS})\s*", re.I)
_CARD = re.compile(r"\s*(verse|chapter|action)s?\s*[:：]\s*(.*)", re.I | re.S)
_REFERENCE = re.compile(rf"\s*(?:{NOTE_WORDS})\s*[:：].*|\s*(?:{NOTE_WORDS})\s*|\d+:\d+\s*†.*|n", re.I | re.S)
_PLACEHOLDER = re.compile(r"\s*(?:citations? needed|no citations?|add citation|insert \w+)\s*", re.I)
_TEMPLATE = re.compile(r"/?(?:INST|SYS|TOOL_CALLS?|TOOL_RESULTS?|AVAILABLE_TOOLS|DONE|PAD|CLS|SEP|UNK|MASK|BOS|EOS)")
_YEAR = re.compile(r"\s*\d{4}(?:\s*[-–—/]\s*\d{2,4})?\s*")
_UNWRITTEN = re.compile(r"[*_`\u200c\u200d]")  # emphasis, and joiners that a digit does not need
_DIGITS = re.compile(r"(?=.*\d)[\s\d,;&–—\-#]+")
_CARET_HALF = re.compile(r"\^(?:[\d,;–—-]|\s(?=[\s\d]))*[)}>]?")
_CARDS = ("verse", "chapter", "action")
_HALF_WORDS = "|".join(word[:end] for word in (*_CARDS, "note", "source") for end in range(len(word), 0, -1))
_HALF = re.compile(rf"[\d\s,;–—-]*|(?:{_HALF_WORDS})s?\s*:?[\d\s,;–—-]*", re.I)
_BEGINS_AS_MARKER = re.compile(rf"\s*(?:\^|(?:{NOTE_WORDS}|verse|chapter|action)\b)", re.I)
_ROUND_WORDS = frozenset("see cf note notes footnote footnotes fn source sources ref refs reference references".split())


@dataclass(frozen=True, slots=True)
class Bracket:
    """What a bracket says. No numbers and no fault: it is prose. keeps: its words are prose, its brackets are not."""

    kind: Kind = "note"
    numbers: tuple[int, ...] = ()
    fault: Literal["", "malformed", "leaked_token"] = ""
    keeps: bool = False


PROSE = Bracket()


def read_square(content: str) -> Bracket:
    """Read what stands between square brackets."""
    content = _UNWRITTEN.sub("", content)
    if not content.strip():
        return Bracket(fault="malformed")
    if _YEAR.fullmatch(content):
        return PROSE
    for said in (_only_numbers(content), _numbers_of(_LOCATED, content), _numbers_of(_WORDED, content)):
        if said:
            return Bracket(numbers=said)
    if card := _CARD.fullmatch(content):
        numbers = _only_numbers(card[2])
        kind: Kind = "verse" if card[1][0] in "vV" else "chapter" if card[1][0] in "cC" else "action"
        return Bracket(kind, numbers, "" if numbers else "malformed")
    return _faulty(content)


def _faulty(content: str) -> Bracket:
    stripped = content.strip()
    if stripped.startswith("^"):
        return Bracket(fault="malformed", keeps=" " in stripped and not stripped[1:].lstrip()[:1].isdigit())
    if _TEMPLATE.fullmatch(stripped):
        return Bracket(fault="leaked_token")
    faulty = _REFERENCE.fullmatch(stripped) or _PLACEHOLDER.fullmatch(stripped) or _DIGITS.fullmatch(stripped)
    return Bracket(fault="malformed") if faulty else PROSE


def read_round(content: str) -> Bracket:
    """Read what stands between round brackets, bare numbers apart: brackets within, a caret, or a word such as note."""
    content = _UNWRITTEN.sub("", content)
    if "[" in content or "^" in content:
        return Bracket(numbers=_only_numbers(re.sub(r"[\[\]]", " ", content)))
    return Bracket(numbers=_numbers_of(_WORDED, content))


def may_name_notes(word: str) -> bool:
    """May a round bracket that begins with this word name notes: "(see note 3)"?"""
    return word.lower() in _ROUND_WORDS or word.lower() in ("citation", "citations")


def is_open_prose(content: str) -> bool:
    """Is what follows a bracket that does not close words, and not the beginning of a marker?"""
    words = any(character.isalpha() for character in content)
    return words and not _BEGINS_AS_MARKER.match(content) and not _HALF.fullmatch(content)


def half_marker(content: str, at_end: bool) -> int:
    """Return how much of what follows a dropped bracket belongs to a broken marker; `at_end`: the stream ends there."""
    if caret := _CARET_HALF.match(content):
        return len(caret[0])
    return len(content) if at_end and _HALF.fullmatch(content) else 0


def bare_numbers(content: str) -> tuple[int, ...]:
    """Return the numbers where `content` is nothing but numbers, lists and ranges; otherwise none."""
    return _only_numbers(content)


def expand(numbers: str) -> tuple[int, ...]:
    """Return the numbers a list of numbers and ranges names, in order; none where a range runs backwards or too far."""
    expanded: list[int] = []
    for first, last in _ONE.findall(numbers):
        low, high = int(first), int(last or first)
        if not 0 <= high - low <= LONGEST_RANGE:
            return ()
        expanded += range(low, high + 1)
    return tuple(expanded)


def _only_numbers(content: str) -> tuple[int, ...]:
    return expand(content) if _ONLY_NUMBERS.fullmatch(content) else ()


def _numbers_of(pattern: re.Pattern[str], content: str) -> tuple[int, ...]:
    found = pattern.fullmatch(content)
    return expand(found[1]) if found else ()
