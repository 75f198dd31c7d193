"""Finding the addresses a question names: "BG 2.13-15, 20", "verse two of the second chapter of John", गीता २.१३.

One pass over the words, each looked at a bounded number of times. What is no address stays none: a page, a time of day,
a number of things.
"""

import re
from collections.abc import Iterable, Iterator

from .address import AddressMention, Scheme
from .reading import OF, TO, PartReader
from .words import AddressBook, AddressPart, Ends, Numbers, as_read, range_of

MOST_CHAPTERS = 10  # of one range; more is a reading plan, or "John 3-16" for John 3:16

Read = tuple[Scheme, list[Ends], int]  # the ranges read, and the token after them

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


class _Reader(PartReader):
    """Reads addresses: a name and its places, in either order."""

    def mentions(self) -> Iterator[AddressMention]:
        at = 0
        while at < len(self.tokens):
            found = self._name_first(at) or self._place_first(at)
            if found:
                scheme, ranges, end = found
                span = self.tokens[at].start, self.tokens[end - 1].end
                for first, last in dict.fromkeys(ranges):
                    yield AddressMention(self.text[slice(*span)], scheme, first, last, span)
            at = found[2] if found else at + 1

    def _name_first(self, at: int) -> Read | None:
        named = self.book.longest_name(self.tokens, at)
        if not named:
            return None
        scheme, after = named
        parts = self._parts(after + (self._word(after) in (",", ":")), bare=True)
        until = self._until(parts[-1].end, scheme) if parts else []
        return self._resolved(at, after, scheme, parts, until)

    def _place_first(self, at: int) -> Read | None:
        parts = self._parts(at, bare=False)
        if not parts or not self._is_a_place(parts):
            return None
        until = self._until(parts[-1].end)
        of = (until or parts)[-1].end
        of += self._word(of) == ","
        if self._word(of) not in OF:
            return None
        name = of + 1 + (self._word(of + 1) == "the")
        named = self.book.longest_name(self.tokens, name)
        if not named:
            return None
        scheme, after = named
        more = self._parts(after + (self._word(after) == ","), bare=False) if len(parts) < len(scheme.levels) else []
        parts += [part for part in more if part.level]
        return self._resolved(name, after, scheme, parts, until, explicit=True)

    def _is_a_place(self, parts: list[AddressPart]) -> bool:
        """ "Verse 13" and "2.13" are places on their own; a lone number is not."""
        return all(part.level or len(part.numbers) > 1 for part in parts)

    def _resolved(
        self,
        name: int,
        after: int,
        scheme: Scheme,
        parts: list[AddressPart],
        until: list[AddressPart],
        *,
        explicit: bool = False,
    ) -> Read | None:
        """Give each number its level, and read what follows; None where the numbers do not fit the scheme."""
        whole = range_of(parts, until, scheme) if until else None
        ends = whole or range_of(parts, (), scheme)
        placed = [*parts, *(until if whole else ())]
        if ends is None or _NO_PLACE.match(self.text, self.tokens[placed[-1].end - 1].end):
            return None
        end = max(after, *(part.end for part in placed))
        spelled = explicit or any(part.level for part in parts)
        if len(ends[0]) < len(scheme.levels):
            alone = spelled or self._stands_alone(name, after, end)
            return (scheme, [ends], end) if alone and _may_be_chapters(*ends, spelled=spelled) else None
        if not spelled and not self._reads_as_name(name, after, scheme, parts[0]):
            return None
        ranges = [ends]
        if end == placed[-1].end:
            end = self._more(end, ranges)
        return scheme, ranges, end

    def _stands_alone(self, name: int, after: int, end: int) -> bool:
        """May "Psalm 23" be a whole chapter here? "John 11 years old" is not."""
        following = self._word(end)
        if following in TO and self._digits(end + 1) is not None:
            return False  # a range that is none
        if not following or not following.isalnum():
            return not self._is_small(name, after)
        return following in _AFTER_CHAPTER and self._named(name, after) not in _ORDINARY

    def _reads_as_name(self, name: int, after: int, scheme: Scheme, part: AddressPart) -> bool:
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

    def _more(self, at: int, ranges: list[Ends]) -> int:
        """Collect what follows an address without its book: the 2.20 of "BG 2.13, 2.20"."""
        while True:
            start = at
            if self._word(start) in (",", ";", "&"):
                start += 1
            start += self._word(start) == "and"
            part = self._pointed(start, bare=True) if start > at else None
            before = ranges[-1][1]
            if part is None or len(part.numbers) not in (1, len(before)) or not self._ends_item(part.end):
                return at
            first = before[: len(before) - len(part.numbers)] + part.numbers
            ranges.append((first, first[: len(first) - len(part.to)] + part.to))
            at = part.end

    def _ends_item(self, at: int) -> bool:
        return self._word(at) in ("", ",", ";", "?", "!", ")", "&", ".", "and")


def _may_be_chapters(first: Numbers, last: Numbers, *, spelled: bool) -> bool:
    return first[:-1] == last[:-1] and (spelled or first <= last) and abs(last[-1] - first[-1]) < MOST_CHAPTERS
