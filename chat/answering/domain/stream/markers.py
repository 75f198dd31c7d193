"""Reads the contents of a bracket: notes, cards or actions, a malformed marker, or prose.

Markers are `[^n]`, `[verse:n]`, `[chapter:n]` and `[action:n]` (shared/design/pipeline.md, stage 4). The other forms
are habits of real models. Numbers have at most three digits, since four digits in brackets are a year.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["note", "verse", "chapter", "action"]

LONGEST_RANGE = 30
# Words that models use for the notes they were given.
NOTE_WORDS = r"(?:foot)?notes?|fn|sources?|refs?|references?|citations?|cites?|docs?|documents?|passages?|excerpts?"

_NUMBER = r"[\^#№]?\s*\d{1,3}(?!\d)"
_ITEM = rf"{_NUMBER}(?:\s*[-–—]\s*{_NUMBER})?"
NUMBERS = rf"{_ITEM}(?:(?:\s*(?:[,;&/]|\band\b)\s*|\s+){_ITEM})*"

_ONLY_NUMBERS = re.compile(rf"\s*{NUMBERS}[\s,;.]*")
_NUMBER_OR_RANGE = re.compile(r"(\d{1,3})(?:\s*[-–—]\s*[\^#№]?\s*(\d{1,3}))?")
_LOCATED = re.compile(rf"\s*({NUMBERS})\s*(?:[,:]\s*(?:pp?|pages?|paras?|lines?|¶)\b.*|†.*)", re.I)
_WORDED = re.compile(rf"\s*(?:see\s+|cf\.?\s+)?(?:{NOTE_WORDS})\s*[.:#№]?\s*({NUMBERS})\s*", re.I)
_CARD = re.compile(r"\s*(verse|chapter|action)s?\s*[:：]\s*(.*)", re.I | re.S)
_REFERENCE = re.compile(rf"\s*(?:{NOTE_WORDS})\s*[:：].*|\s*(?:{NOTE_WORDS})\s*|\d+:\d+\s*†.*|n", re.I | re.S)
_PLACEHOLDER = re.compile(r"\s*(?:citations? needed|no citations?|add citation|insert \w+)\s*", re.I)
_TEMPLATE = re.compile(r"/?(?:INST|SYS|TOOL_CALLS?|TOOL_RESULTS?|AVAILABLE_TOOLS|DONE|PAD|CLS|SEP|UNK|MASK|BOS|EOS)")
_YEAR = re.compile(r"\s*\d{4}(?:\s*[-–—/]\s*\d{2,4})?\s*")
_IGNORED = re.compile(r"[*_`\u200c\u200d]")  # emphasis and zero-width joiners
_DIGITS = re.compile(r"(?=.*\d)[\s\d,;&–—\-#]+")
_PARTIAL_CARET = re.compile(r"\^(?:[\d,;–—-]|\s(?=[\s\d]))*[)}>]?")
_CARDS = ("verse", "chapter", "action")
_PARTIAL_WORDS = "|".join(word[:end] for word in (*_CARDS, "note", "source") for end in range(len(word), 0, -1))
_PARTIAL_MARKER = re.compile(rf"[\d\s,;–—-]*|(?:{_PARTIAL_WORDS})s?\s*:?[\d\s,;–—-]*", re.I)
_BEGINS_AS_MARKER = re.compile(rf"\s*(?:\^|(?:{NOTE_WORDS}|verse|chapter|action)\b)", re.I)
_ROUND_WORDS = frozenset("see cf note notes footnote footnotes fn source sources ref refs reference references".split())


@dataclass(frozen=True, slots=True)
class Bracket:
    """The meaning of a bracket; prose if it has neither numbers nor a fault.

    keeps_words: the words inside are prose, but the brackets are dropped.
    """

    kind: Kind = "note"
    numbers: tuple[int, ...] = ()
    fault: Literal["", "malformed", "leaked_token"] = ""
    keeps_words: bool = False


PROSE = Bracket()


def read_square(content: str) -> Bracket:
    content = _IGNORED.sub("", content)
    if not content.strip():
        return Bracket(fault="malformed")
    if _YEAR.fullmatch(content):
        return PROSE
    for numbers in (bare_numbers(content), _numbers_of(_LOCATED, content), _numbers_of(_WORDED, content)):
        if numbers:
            return Bracket(numbers=numbers)
    if card := _CARD.fullmatch(content):
        numbers = bare_numbers(card[2])
        kind: Kind = "verse" if card[1][0] in "vV" else "chapter" if card[1][0] in "cC" else "action"
        return Bracket(kind, numbers, "" if numbers else "malformed")
    return _faulty(content)


def _faulty(content: str) -> Bracket:
    stripped = content.strip()
    if stripped.startswith("^"):
        return Bracket(fault="malformed", keeps_words=" " in stripped and not stripped[1:].lstrip()[:1].isdigit())
    if _TEMPLATE.fullmatch(stripped):
        return Bracket(fault="leaked_token")
    faulty = _REFERENCE.fullmatch(stripped) or _PLACEHOLDER.fullmatch(stripped) or _DIGITS.fullmatch(stripped)
    return Bracket(fault="malformed") if faulty else PROSE


def read_round(content: str) -> Bracket:
    """Read round brackets that do not only hold numbers: "([^3])", "(^3)", "(see note 3)"."""
    content = _IGNORED.sub("", content)
    if "[" in content or "^" in content:
        return Bracket(numbers=bare_numbers(re.sub(r"[\[\]]", " ", content)))
    return Bracket(numbers=_numbers_of(_WORDED, content))


def may_name_notes(word: str) -> bool:
    """Whether a round bracket that begins with this word may name notes: "(see note 3)"."""
    return word.lower() in _ROUND_WORDS or word.lower() in ("citation", "citations")


def is_open_prose(content: str) -> bool:
    """Whether the text after an unclosed bracket is words, and not the beginning of a marker."""
    words = any(character.isalpha() for character in content)
    return words and not _BEGINS_AS_MARKER.match(content) and not _PARTIAL_MARKER.fullmatch(content)


def partial_marker(content: str, at_end: bool) -> int:
    """The length of a broken marker after a dropped bracket. at_end: the stream ends after `content`."""
    if caret := _PARTIAL_CARET.match(content):
        return len(caret[0])
    return len(content) if at_end and _PARTIAL_MARKER.fullmatch(content) else 0


def bare_numbers(content: str) -> tuple[int, ...]:
    """The numbers if `content` is only numbers, lists and ranges; otherwise none."""
    return expand(content) if _ONLY_NUMBERS.fullmatch(content) else ()


def expand(numbers: str) -> tuple[int, ...]:
    """The numbers of a list of numbers and ranges, in order; none if a range runs backwards or is too long."""
    expanded: list[int] = []
    for first, last in _NUMBER_OR_RANGE.findall(numbers):
        low, high = int(first), int(last or first)
        if not 0 <= high - low <= LONGEST_RANGE:
            return ()
        expanded += range(low, high + 1)
    return tuple(expanded)


def _numbers_of(pattern: re.Pattern[str], content: str) -> tuple[int, ...]:
    found = pattern.fullmatch(content)
    return expand(found[1]) if found else ()
