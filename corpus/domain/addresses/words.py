"""The address parser's tokens, and the names that can begin an address."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpus.domain.text.folding import fold
from corpus.domain.text.numerals import TENS, cardinal, ordinal, roman
from corpus.domain.text.scripts import latin

from .address import Scheme

LONGEST_NAME = 12  # words

VERSE_WORDS = frozenset(
    "verse verses v vv sloka slokas shloka shlokas text texts paragraph paragraphs para ¶ §".split()
)
CHAPTER_WORDS = frozenset("chapter chapters chap ch adhyaya".split())
OUTER_WORDS = frozenset("canto skandha book".split())
_LEVEL_WORDS = VERSE_WORDS | CHAPTER_WORDS | OUTER_WORDS

_TOKEN = re.compile(r"[^\W_]+(?:[’'ʼ][^\W_]+)*|[^\w\s]|_")
_JOINED = re.compile(r"([^\W\d_]+)(\d+)")


Numbers = tuple[int, ...]
Ends = tuple[Numbers, Numbers]  # of a range


@dataclass(frozen=True, slots=True)
class AddressPart:
    """Numbers as written, the end of their range, and the index of the next token.

    "chapter 2" has the level "chapter" and one number; "2.13-15" has no level, two numbers, and the end (15,).
    """

    level: str
    numbers: Numbers
    to: Numbers
    end: int


@dataclass(frozen=True, slots=True)
class AddressToken:
    """A word, number or mark. word: folded. tight: no space before it. number: the value of its digits or word.

    digits: written in digits. rank: the value of "second" or "2nd".
    """

    word: str
    start: int
    end: int
    tight: bool
    number: int | None = None
    digits: bool = False
    rank: int | None = None


def as_read(question: str) -> str:
    """The question in composed Latin letters; spans of mentions refer to this text."""
    return unicodedata.normalize("NFC", latin(question))


class AddressBook:
    """The schemes by every folded name of a book or lecture."""

    def __init__(self, schemes: Mapping[str, Scheme]) -> None:
        self.schemes = schemes
        self._levels = frozenset(level for scheme in schemes.values() for level in scheme.levels)
        self._words = frozenset(word for name in schemes for word in name.split())

    def is_level(self, word: str) -> bool:
        return word in _LEVEL_WORDS or word in self._levels

    def longest_name(self, tokens: list[AddressToken], start: int) -> tuple[Scheme, int] | None:
        """The scheme of the longest name at a token, and the index of the next token."""
        if start >= len(tokens) or tokens[start].word not in self._words:
            return None
        parts: list[str] = []
        found = None
        for index in range(start, min(start + 2 * LONGEST_NAME, len(tokens))):
            token = tokens[index]
            if token.word.isalnum():
                parts.append(token.word)
                scheme = self.schemes.get(" ".join(parts))
                found = (scheme, index + 1) if scheme else found
            elif token.word not in "-–_:.,’'":
                break
        return found

    def tokens(self, question: str) -> tuple[str, list[AddressToken]]:
        """The question in Latin letters, and its tokens. "BG2" is two tokens, "CW1" one, "twenty-one" one."""
        text = as_read(question)
        tokens: list[AddressToken] = []
        for match in _TOKEN.finditer(text):
            for start, end in self._split(match):
                self._append(tokens, text, start, end)
        return text, tokens

    def _split(self, match: re.Match[str]) -> list[tuple[int, int]]:
        joined = _JOINED.fullmatch(match.group())
        if joined and fold(match.group()) not in self._words:
            lead = fold(joined[1])
            if lead in self.schemes or lead in _LEVEL_WORDS:
                middle = match.start() + joined.end(1)
                return [(match.start(), middle), (middle, match.end())]
        return [match.span()]

    @staticmethod
    def _append(tokens: list[AddressToken], text: str, start: int, end: int) -> None:
        word = fold(text[start:end]) or text[start:end]
        tight = bool(tokens) and tokens[-1].end == start
        number, rank = cardinal(word), ordinal(word)
        if number is None and end - start > 1:
            number = roman(text[start:end])
        tokens.append(AddressToken(word, start, end, tight, number, word.isdecimal(), rank))
        _join_tens(tokens)


def _join_tens(tokens: list[AddressToken]) -> None:
    """Merge "twenty-one" and "twenty first" into one token."""
    last = tokens[-1]
    step = 3 if len(tokens) > 2 and tokens[-2].word == "-" else 2
    if len(tokens) < step or tokens[-step].word not in TENS or last.digits:
        return
    tens, ones = TENS[tokens[-step].word], last.number or last.rank
    if ones is None or ones > 9:
        return
    number, rank = (tens + ones, None) if last.number else (None, tens + ones)
    first = tokens[-step]
    tokens[-step:] = [
        AddressToken(f"{first.word} {last.word}", first.start, last.end, first.tight, number, False, rank)
    ]


def range_of(parts: Sequence[AddressPart], until: Sequence[AddressPart], scheme: Scheme) -> Ends | None:
    """The first and last passage named by the parts; None where they do not fit the scheme.

    Only the last level may be missing. until: the parts after "to"; missing levels are taken from the first part.
    """
    found, ended = _levels_of(parts, scheme), _levels_of(until, scheme)
    if not found or not ended or (until and (found[1] or ended[1])):
        return None
    levels, ends = found[0], ended[0] if until else found[1]
    depth = len(levels)
    if not levels or sorted(levels) != list(range(depth)) or depth < len(scheme.levels) - 1:
        return None
    if ends and sorted(ends) != list(range(min(ends), depth)):
        return None  # "verse 13 of chapters 2 to 3" is not a range of verses
    return tuple(levels[n] for n in range(depth)), tuple((levels | ends)[n] for n in range(depth))


def _levels_of(parts: Sequence[AddressPart], scheme: Scheme) -> tuple[dict[int, int], dict[int, int]] | None:
    """Numbers by the index of their level, and the ends of ranges likewise."""
    depth = len(scheme.levels)
    levels: dict[int, int] = {}
    ends: dict[int, int] = {}
    for part in parts:
        first = _level(part.level, scheme) if part.level else min(set(range(depth + 1)) - levels.keys())
        if first is None:
            return None
        places = range(first, first + len(part.numbers))
        if places.stop > depth or levels.keys() & set(places):
            return None
        levels |= zip(places, part.numbers, strict=True)
        ends |= zip(places[len(places) - len(part.to) :], part.to, strict=True)
    return levels, ends


def _level(word: str, scheme: Scheme) -> int | None:
    depth = len(scheme.levels)
    if word in scheme.levels:
        return scheme.levels.index(word)
    if word in VERSE_WORDS:
        return depth - 1
    if word in CHAPTER_WORDS:
        return depth - 2 if depth > 1 else None
    return 0 if depth > 2 else None
