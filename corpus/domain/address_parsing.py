"""Finding the addresses a question names: "BG 2.13-15, 20", "second chapter of the Gita, verse thirteen", गीता २.१३.

One pass over the words, each looked at a bounded number of times. What is no address stays none: a page, a time of day,
a number of things.
"""

import re
from collections.abc import Iterable, Iterator

from .address import AddressMention, Scheme
from .address_words import AddressBook, Part, Span, Token, as_read, levels_of

LONGEST_RANGE = 60  # verses
MOST_CHAPTERS = 10  # of one range; more is a reading plan, or "John 3-16" for John 3:16
DEEPEST = 4  # numbers of one address

Read = tuple[Scheme, tuple[int, ...], tuple[int, ...]]  # the scheme, the chapter, its verses

_TO = frozenset("- – — to through".split())
_OF = frozenset("of in from".split())
_POINTS = frozenset(".:")
_NO_PLACE = re.compile(
    r"\s*(?:%|[ap]\.?\s?m\b|o.clock|(?:times|percent|per cent|km|mm|miles|million|years|days|people)\b)", re.IGNORECASE
)
# After these a chapter on its own may stand in the middle of a sentence: "What does BG 2 say?"
_AFTER_CHAPTER = frozenset("say says teach teaches about mean means describe and or is in of for tell".split())
# Names that are also words or people: in small letters they need a colon, and end a sentence to name a whole chapter.
_ORDINARY = frozenset(
    """
    acts amos dan daniel ex gen hag james job joel john jonah joshua jude judges kings lam lamentations luke mal mark
    mat matt mic nah numbers ob peter phil rev rom romans ruth sam samuel song songs tit
    """.split()
)


def addresses_in(question: str, book: AddressBook) -> tuple[AddressMention, ...]:
    """Return the addresses a question names, in its order; `text` is the question's words, in Latin letters.

    Numbers without a name the book knows ("page 3:15") are no address.
    """
    text, tokens = book.tokens(question)
    return tuple(_Reader(text, tokens, book).mentions())


def without_addresses(question: str, mentions: Iterable[AddressMention]) -> str:
    """Return what is left of a question when the addresses found in it are taken out, in Latin letters."""
    text = as_read(question)
    for start, end in sorted({mention.span for mention in mentions}, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


class _Reader:
    """Reads tokens from a place on; each method returns what stands there, or None."""

    def __init__(self, text: str, tokens: list[Token], book: AddressBook) -> None:
        self.text, self.tokens, self.book = text, tokens, book

    def mentions(self) -> Iterator[AddressMention]:
        at = 0
        while at < len(self.tokens):
            found = self._name_first(at) or self._place_first(at)
            if found:
                mentions, end = found
                span = self.tokens[at].start, self.tokens[end - 1].end
                for scheme, chapter, verses in mentions:
                    yield AddressMention(self.text[slice(*span)], scheme, chapter, verses, span)
            at = found[1] if found else at + 1

    def _word(self, at: int) -> str:
        return self.tokens[at].word if at < len(self.tokens) else ""

    def _name_first(self, at: int) -> tuple[list[Read], int] | None:
        named = self.book.longest_name(self.tokens, at)
        if not named:
            return None
        scheme, after = named
        parts = self._parts(after + (self._word(after) in (",", ":")), bare=True)
        return self._resolved(at, after, scheme, parts)

    def _place_first(self, at: int) -> tuple[list[Read], int] | None:
        parts = self._parts(at, bare=False)
        if not parts or not self._is_a_place(parts):
            return None
        of = parts[-1].end
        of += self._word(of) == ","
        if self._word(of) not in _OF:
            return None
        name = of + 1 + (self._word(of + 1) == "the")
        named = self.book.longest_name(self.tokens, name)
        if not named:
            return None
        scheme, after = named
        more = self._parts(after + (self._word(after) == ","), bare=False) if len(parts) < len(scheme.levels) else []
        return self._resolved(name, after, scheme, [*parts, *(part for part in more if part.level)], explicit=True)

    def _is_a_place(self, parts: list[Part]) -> bool:
        """ "Verse 13" and "2.13" are places on their own; a lone number is not."""
        return all(part.level or len(part.numbers) > 1 for part in parts)

    def _parts(self, at: int, *, bare: bool) -> list[Part]:
        """Read "chapter 2, verse 13", "second chapter", "2.13", and where `bare` a number alone."""
        parts: list[Part] = []
        while len(parts) < 3:
            start = at
            if parts:
                start += self._word(start) in (",", *_OF)
                start += self._word(start) == "the"
            part = self._leveled(start) or (None if parts else self._pointed(start, bare=bare))
            if not part:
                break
            parts.append(part)
            at = part.end
        return parts

    def _leveled(self, at: int) -> Part | None:
        if at >= len(self.tokens):
            return None
        token, after = self.tokens[at], self._word(at + 1)
        if token.rank and self.book.is_level(after):
            return Part(after, ((token.rank, token.rank),), at + 2)
        if not self.book.is_level(token.word):
            return None
        number = at + 1 + (after == ".")
        if number < len(self.tokens) and (first := self.tokens[number].number):
            last, end = self._range(number, first)
            return Part(token.word, ((first, last),), end)
        return None

    def _pointed(self, at: int, *, bare: bool) -> Part | None:
        """Read numbers with points between them, the last with its range; a single one where `bare`."""
        numbers: list[int] = []
        while len(numbers) < DEEPEST and (number := self._digits(at)) is not None:
            numbers.append(number)
            last_at = at
            if self._word(at + 1) not in _POINTS or not self._close(at + 1) or not self._close(at + 2):
                break
            at += 2
        if not numbers or (len(numbers) < 2 and not bare):
            return None
        if (
            self.tokens[last_at + 1 : last_at + 2]
            and self._word(last_at + 1) in _POINTS
            and self._digits_at(last_at + 2)
        ):
            return None  # a number too many for any place, such as 1.2.2024
        last, end = self._range(last_at, numbers[-1], tuple(numbers[:-1]))
        spans = [(number, number) for number in numbers[:-1]]
        return Part("", (*spans, (numbers[-1], last)), end)

    def _digits(self, at: int) -> int | None:
        return self.tokens[at].number if at < len(self.tokens) and self.tokens[at].digits else None

    def _close(self, at: int) -> bool:
        """Does at most one space part this token from the one before?"""
        return at < len(self.tokens) and self.tokens[at].start - self.tokens[at - 1].end <= 1

    def _digits_at(self, at: int) -> bool:
        return at < len(self.tokens) and self.tokens[at].tight and self.tokens[at].digits

    def _range(self, at: int, first: int, chapter: tuple[int, ...] = ()) -> tuple[int, int]:
        """Return the last number of a range that begins at a token, and the token after it."""
        if self._word(at + 1) not in _TO:
            return first, at + 1
        to = at + 2
        for number in chapter:  # "2.13-2.15" repeats its chapter
            if self._word(to) == str(number) and self._word(to + 1) in _POINTS and self._digits_at(to + 2):
                to += 2
        following = self.tokens[to] if to < len(self.tokens) else None
        pointed = self._word(to + 1) in _POINTS and self._digits_at(to + 2)
        if following and following.number and not pointed and first < following.number <= first + LONGEST_RANGE:
            return following.number, to + 1
        return first, at + 1

    def _resolved(
        self, name: int, after: int, scheme: Scheme, parts: list[Part], *, explicit: bool = False
    ) -> tuple[list[Read], int] | None:
        """Give each number its level, and read what follows; None where the numbers do not fit the scheme."""
        levels = levels_of(parts, scheme)
        if levels is None or _NO_PLACE.match(self.text, self.tokens[parts[-1].end - 1].end):
            return None
        depth = len(scheme.levels)
        chapter = tuple(levels[level][0] for level in range(depth - 1))
        spelled = explicit or any(part.level for part in parts)
        if depth - 1 not in levels:
            alone = spelled or self._stands_alone(name, after, parts[-1].end)
            chapters = _listed(levels[depth - 2])
            fits = alone and len(chapters) <= MOST_CHAPTERS
            named: list[Read] = [(scheme, (*chapter[:-1], number), ()) for number in chapters]
            return (named, max(after, parts[-1].end)) if fits else None
        if not spelled and not self._reads_as_name(name, after, scheme, parts[0]):
            return None
        verses = {chapter: _listed(levels[depth - 1])}
        end = max(after, parts[-1].end)
        if end == parts[-1].end:
            end = self._more(end, chapter, depth, verses)
        return [(scheme, key, tuple(dict.fromkeys(listed))) for key, listed in verses.items()], end

    def _stands_alone(self, name: int, after: int, end: int) -> bool:
        """May "Psalm 23" be a whole chapter here? "John 11 years old" is not."""
        following = self._word(end)
        if following in _TO and self._digits(end + 1) is not None:
            return False  # a range that is none
        if not following or not following.isalnum():
            return not self._is_small(name, after)
        return following in _AFTER_CHAPTER and self._named(name, after) not in _ORDINARY

    def _reads_as_name(self, name: int, after: int, scheme: Scheme, part: Part) -> bool:
        """Tell "acts 2.5 times" from "Acts 2.5", and "talk:3" from "I had to talk 3 times"."""
        if len(scheme.levels) == 1:
            return after - name > 1 or self._word(after) == ":"
        return (
            not self._is_small(name, after)
            or ":" in self.text[self.tokens[after].start : self.tokens[part.end - 1].end]
        )

    def _is_small(self, name: int, after: int) -> bool:
        written = self.text[self.tokens[name].start : self.tokens[after - 1].end]
        return written.islower() and self._named(name, after) in _ORDINARY

    def _named(self, name: int, after: int) -> str:
        return " ".join(token.word for token in self.tokens[name:after] if token.word.isalnum())

    def _more(self, at: int, chapter: tuple[int, ...], depth: int, verses: dict[tuple[int, ...], list[int]]) -> int:
        """Collect what follows an address without its book: the 2.20 of "BG 2.13, 2.20"."""
        while True:
            start = at
            if self._word(start) in (",", ";", "&"):
                start += 1
            start += self._word(start) == "and"
            part = self._pointed(start, bare=True) if start > at else None
            if part is None or len(part.numbers) not in (1, depth) or not self._ends_item(part.end):
                return at
            if len(part.numbers) == depth:
                chapter = tuple(first for first, _ in part.numbers[:-1])
            verses.setdefault(chapter, []).extend(_listed(part.numbers[-1]))
            at = part.end

    def _ends_item(self, at: int) -> bool:
        return self._word(at) in ("", ",", ";", "?", "!", ")", "&", ".", "and")


def _listed(span: Span) -> list[int]:
    return list(range(span[0], span[1] + 1))
