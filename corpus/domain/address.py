"""Addresses: BG 2.13, John 11:35, CW1:secret_of_work:3. How they are folded, and how they are found in a question."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .folding import fold

LONGEST_NAME = 12  # words
LONGEST_RANGE = 60  # verses

_NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty""".split(),
        start=1,
    )
}
_N = r"\d{1,3}(?![\d%])"
_COUNT = rf"(?:{_N}|{'|'.join(_NUMBER_WORDS)})"
_RANGE = rf"(?P<verse>{_COUNT})(?:\s*(?:-|–|—|to|through)\s*(?P<last>{_N})(?![.:]\d))?"
_VERSE = r"(?:verses?|vv?\.?|shlokas?|ślokas?|text)"
_CHAPTER = r"(?:chapter|chap\.?|ch\.?)"
_CLOCK = r"(?!\s*(?:[ap]\.?\s?m\b|o.clock|times\b|percent|per cent|km\b|miles\b|million))"

_POINTED = re.compile(rf"(?<![\d.:])(?P<chapter>{_N})\s?(?P<mark>[:.])\s?{_RANGE}(?![.:]?\d){_CLOCK}", re.IGNORECASE)
_NAMED_FIRST = re.compile(rf"\b(?:{_CHAPTER}\s*)?(?P<chapter>{_COUNT})\s*,?\s*{_VERSE}\s*{_RANGE}\b", re.IGNORECASE)
_NAMED_LAST = re.compile(
    rf"\b{_VERSE}\s*{_RANGE}\s*(?:of|in|from)\s+{_CHAPTER}\s*(?P<chapter>{_COUNT})\b", re.IGNORECASE
)
_PARAGRAPH = re.compile(rf"(?<![\d.\w-])(?<!\d:)(?P<verse>\d{{1,4}})(?![\d%:]|\.\d){_CLOCK}", re.IGNORECASE)
_MORE = re.compile(
    rf"\s*(?:,\s*(?:and\s)?|;\s*|and\s|&\s*)\s*(?:(?P<chapter>{_N})\s?[:.]\s?)?{_RANGE}(?=\s*(?:[,;?!)&]|\.\s|\.?$|and\b))",
    re.IGNORECASE,
)
_OF = re.compile(r"\s*,?\s*(?:of|in|from)\s+(?:the\s+)?", re.IGNORECASE)
_WORD = re.compile(r"[\w’']+")
_ORDINARY = frozenset("acts job mark numbers judges kings ruth john james luke songs lamentations".split())


@dataclass(frozen=True, slots=True)
class AddressMention:
    """An address a question names: the words that name it, the book as addresses spell it, and the keys to look up.

    `chapter` is None for a lecture's paragraph, whose number is then the verse.
    """

    text: str
    book: str
    chapter: int | None
    verses: tuple[int, ...]
    keys: tuple[str, ...]


def address_key(address: str) -> str:
    """Return the folded address that look-ups compare: BG 2.13 → bg 2 13. Idempotent."""
    return fold(address)


def addresses_in(question: str, books: Mapping[str, str]) -> tuple[AddressMention, ...]:
    """Return the addresses a question names, in its order.

    `books` maps a folded name to the label that leads the book's addresses ("gita" → "BG"). A label that ends in ":"
    is a lecture's, and a paragraph number follows it ("cw1 secret of work" → "CW1:secret_of_work:"). Numbers without
    such a name before them ("page 3:15") are no address.
    """
    found: dict[int, tuple[int, list[AddressMention]]] = {}
    for start, end, mentions in _candidates(question, books):
        if all(end <= s or start >= e for s, (e, _) in found.items()):
            found[start] = (end, mentions)
    return tuple(mention for start in sorted(found) for mention in found[start][1])


def _candidates(question: str, books: Mapping[str, str]) -> Iterator[tuple[int, int, list[AddressMention]]]:
    for pattern in (_NAMED_LAST, _NAMED_FIRST, _POINTED):
        for match in pattern.finditer(question):
            named = _name_before(question, match.start(), books, _chapter_word) or _name_after(question, match, books)
            if named is None or named[2].endswith(":") or _is_a_decimal(question, match, named):
                continue
            start, end, book = named
            mentions, end = _with_more(question, match, book, max(end, match.end()))
            yield min(start, match.start()), end, _worded(mentions, question[min(start, match.start()) : end])
    for match in _PARAGRAPH.finditer(question):
        named = _name_before(question, match.start(), books, _paragraph_word)
        if named and named[2].endswith(":") and _is_spelled_out(question, named):
            start, _, label = named
            yield start, match.end(), [_paragraph_mention(question[start : match.end()], label, int(match["verse"]))]


def _paragraph_mention(text: str, label: str, number: int) -> AddressMention:
    return AddressMention(text, label.rstrip(":"), None, (number,), (address_key(f"{label}{number}"),))


_chapter_word = re.compile(rf"[\s,]*(?:{_CHAPTER}\s*)?$", re.IGNORECASE)
_paragraph_word = re.compile(r"[\s,:]*(?:paragraph|para\.?|¶|§)?\s*$", re.IGNORECASE)

Named = tuple[int, int, str]


def _name_before(question: str, end: int, books: Mapping[str, str], between: re.Pattern[str]) -> Named | None:
    """Return the longest name that stands right before `end`, with only the `between` pattern after it."""
    filler = between.search(question, 0, end)
    stop = filler.start() if filler else end
    words = list(_WORD.finditer(question, 0, stop))[-LONGEST_NAME:]
    for word in words:
        book = books.get(fold(question[word.start() : stop]))
        if book:
            return word.start(), stop, book
    return None


def _name_after(question: str, match: re.Match[str], books: Mapping[str, str]) -> Named | None:
    """Return the longest name after "of the"; None where the address is not followed by one."""
    of = _OF.match(question, match.end())
    if not of:
        return None
    words = list(_WORD.finditer(question, of.end()))[:LONGEST_NAME]
    for word in reversed(words):
        book = books.get(fold(question[of.end() : word.end()]))
        if book:
            return match.start(), word.end(), book
    return None


def _is_a_decimal(question: str, match: re.Match[str], named: Named) -> bool:
    """Tell "acts 2.5 times" from "Acts 2.5": a book whose name is a common word needs its capital or a colon."""
    name = question[named[0] : named[1]]
    return match.groupdict().get("mark") == "." and name.islower() and fold(name) in _ORDINARY


def _is_spelled_out(question: str, named: Named) -> bool:
    """Tell "talk:3" from "I had to talk 3 times": a name of one word needs the colon."""
    return " " in fold(question[named[0] : named[1]]) or question[named[1] : named[1] + 1] == ":"


def _with_more(question: str, match: re.Match[str], book: str, end: int) -> tuple[list[AddressMention], int]:
    """Collect what follows an address without its book: the 2.20 of "BG 2.13, 2.20"."""
    chapter = _number(match["chapter"])
    verses: dict[int, list[int]] = {chapter: _verses(match)}
    if end == match.end():
        while more := _MORE.match(question, end):
            chapter = _number(more["chapter"]) if more["chapter"] else chapter
            verses.setdefault(chapter, []).extend(_verses(more))
            end = more.end()
    return [_mention(book, number, tuple(dict.fromkeys(listed))) for number, listed in verses.items()], end


def _mention(book: str, chapter: int, verses: tuple[int, ...]) -> AddressMention:
    keys = tuple(address_key(f"{book} {chapter} {verse}") for verse in verses)
    return AddressMention("", book, chapter, verses, keys)


def _worded(mentions: list[AddressMention], text: str) -> list[AddressMention]:
    return [AddressMention(text, m.book, m.chapter, m.verses, m.keys) for m in mentions]


def _verses(match: re.Match[str]) -> list[int]:
    first = _number(match["verse"])
    last = int(match["last"]) if match["last"] else first
    return list(range(first, last + 1)) if first < last <= first + LONGEST_RANGE else [first]


def _number(word: str) -> int:
    return _NUMBER_WORDS.get(word.lower()) or int(word)
