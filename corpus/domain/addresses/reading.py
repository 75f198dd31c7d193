"""Reads the numbers of an address: "chapter 2, verse 13", "second chapter", "2.13-15", "2.70 to 3.5"."""

from corpus.domain.text.numerals import roman

from .address import Scheme
from .words import AddressBook, AddressPart, AddressToken, Numbers

DEEPEST = 4  # numbers of one address
TO = frozenset("- – — to through until".split())
OF = frozenset("of in from".split())
_POINTS = frozenset(".:/")


class PartReader:
    """Reads tokens; each method returns what it finds at a position."""

    def __init__(self, text: str, tokens: list[AddressToken], book: AddressBook) -> None:
        self.text, self.tokens, self.book = text, tokens, book
        compared = (at for at, token in enumerate(tokens) if token.word.startswith("compar"))
        self._compared = next(compared, len(tokens))  # after this word "to" compares two things

    def _word(self, at: int) -> str:
        return self.tokens[at].word if at < len(self.tokens) else ""

    def _parts(self, at: int, *, bare: bool) -> list[AddressPart]:
        """Read "chapter 2, verse 13", "second chapter", "2.13", and, if `bare`, a lone number."""
        parts: list[AddressPart] = []
        while len(parts) < 3:
            start = at
            if parts:
                start += self._word(start) in (",", *OF)
                start += self._word(start) == "the"
            part = self._leveled(start) or (None if parts else self._pointed(start, bare=bare))
            if not part:
                break
            parts.append(part)
            at = part.end
        return parts

    def _until(self, at: int, scheme: Scheme | None = None) -> list[AddressPart]:
        """Read the end of a written-out range: "to chapter 3 verse 5", or "to BG 3.5" after a book."""
        if self._word(at) not in TO:
            return []
        if self._word(at) == "to" and at > self._compared:
            return []  # "compare BG 2.13 to BG 3.5"
        named = self.book.longest_name(self.tokens, at + 1) if scheme else None
        if named and named[0] != scheme:
            return []
        return self._parts(named[1] if named else at + 1, bare=False)

    def _leveled(self, at: int) -> AddressPart | None:
        if at >= len(self.tokens):
            return None
        token, after = self.tokens[at], self._word(at + 1)
        if token.rank and self.book.is_level(after):
            return AddressPart(after, (token.rank,), (), at + 2)
        if not self.book.is_level(token.word):
            return None
        number = at + 1 + (after == ".")
        if self._word(number + 1) in _POINTS and self._digits_at(number + 2):
            return self._pointed(number, bare=False)  # in "verses 2.13-15" the numbers are more precise than the word
        if number < len(self.tokens) and (first := self.tokens[number].number):
            to, end = self._to(number, (first,), token.word)
            return AddressPart(token.word, (first,), to, end)
        return None

    def _pointed(self, at: int, *, bare: bool) -> AddressPart | None:
        numbers, last_at = self._numbers(at)
        if not numbers or (len(numbers) < 2 and not bare) or self._one_too_many(last_at):
            return None
        to, end = self._to(last_at, numbers)
        return AddressPart("", numbers, to, end)

    def _numbers(self, at: int) -> tuple[Numbers, int]:
        """Read numbers joined by points; return them and the index of the last one."""
        numbers: list[int] = []
        last_at = at
        while len(numbers) < DEEPEST and (number := self._number(at, not numbers)) is not None:
            numbers.append(number)
            last_at = at
            if self._word(at + 1) == "/" and len(numbers) > 1:
                break  # "2.13/14" is two verses, 1/2/2024 a date
            if self._word(at + 1) not in _POINTS or not self._close(at + 1) or not self._close(at + 2):
                break
            at += 2
        return tuple(numbers), last_at

    def _one_too_many(self, at: int) -> bool:
        """Whether another number follows, as in the dates 1.2.2024 and 1/2/2024."""
        points = _POINTS if self._word(at - 1) == "/" else _POINTS - {"/"}
        return self._word(at + 1) in points and self._digits_at(at + 2)

    def _digits(self, at: int) -> int | None:
        return self.tokens[at].number if at < len(self.tokens) and self.tokens[at].digits else None

    def _number(self, at: int, leads: bool) -> int | None:
        """The number of these digits, or of the II in "II.13"; a lone Roman numeral may be a word."""
        if leads and self._word(at + 1) in _POINTS and self._digits_at(at + 2) and self._digits(at) is None:
            return roman(self.text[self.tokens[at].start : self.tokens[at].end])
        return self._digits(at)

    def _close(self, at: int) -> bool:
        """Whether at most one space separates this token from the one before."""
        return at < len(self.tokens) and self.tokens[at].start - self.tokens[at - 1].end <= 1

    def _digits_at(self, at: int) -> bool:
        return at < len(self.tokens) and self.tokens[at].tight and self.tokens[at].digits

    def _to(self, at: int, first: Numbers, level: str = "") -> tuple[Numbers, int]:
        """The end of the range that begins at these numbers, () if there is none, and the next token.

        A backward range counts where it is unambiguous: "2.20-13" and "verses 20 to 13", but not "John 3:16 - 3
        questions".
        """
        if self._word(at + 1) not in TO or self.book.longest_name(self.tokens, at + 2):
            return (), at + 1  # "2 Chronicles 1.1 to 2 Chronicles 2.1": the second 2 belongs to the book
        to = at + 2 + bool(level and self._word(at + 2) == level)
        last, last_at = self._numbers(to)
        if not last and to < len(self.tokens) and (number := self.tokens[to].number):
            last, last_at = (number,), to
        joined = to < len(self.tokens) and self.tokens[at + 1].tight and self.tokens[to].tight
        forward = last > first[-len(last) :] or joined or len(last) > 1 or level.endswith("s")
        if not last or not forward or len(last) > len(first) or self._one_too_many(last_at):
            return (), at + 1
        return last, last_at + 1
