"""Addresses such as BG 2.13, John 11:35, SB 1.2.3, CW1:secret_of_work:3: schemes, spelling, keys and order."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from corpus.domain.text.folding import fold

LONGEST_SECTION = 100  # verses
CHAPTER_AND_VERSE = ("chapter", "verse")
_PLACE = re.compile(r"(?:^|[\s:.])(\d+(?:[.:]\d+)*)(?:[-–](\d+))?$")
_RANGE = re.compile(r"(?<!\d)(\d{1,4})[-–](\d{1,4})$")


@dataclass(frozen=True, slots=True)
class Scheme:
    """How the passages of a book are numbered.

    label: the prefix of its addresses ("BG"); a lecture's ends in ":". title: the book's name. separator: between
    numbers.
    levels: names of the numbers, outermost first ("canto", "chapter", "verse"); a lecture has one. position: order of
    books.
    """

    label: str
    separator: str = "."
    levels: tuple[str, ...] = CHAPTER_AND_VERSE
    title: str = ""
    position: int = 0

    def address(self, *numbers: int) -> str:
        """The canonical address of a passage, or of a chapter where the last number is left out."""
        glue = "" if self.label.endswith(":") else " "
        return f"{self.label}{glue}{self.separator.join(map(str, numbers))}"


@dataclass(frozen=True, slots=True)
class AddressMention:
    """An address that a question names.

    text: its words in the question. first, last: the numbers at both ends of the range, equal for a single passage and
    without the verse for whole chapters. `last` may precede `first`, as readers write it.
    """

    text: str
    scheme: Scheme
    first: tuple[int, ...]
    last: tuple[int, ...]
    span: tuple[int, int] = field(default=(0, 0), compare=False)

    @property
    def is_whole_chapter(self) -> bool:
        return len(self.first) < len(self.scheme.levels)

    @property
    def address(self) -> str:
        """The canonical form: BG 2.13, BG 2.13-15, BG 2.70-3.5, BG 2-3."""
        shared = next((n for n, (a, b) in enumerate(zip(self.first, self.last, strict=True)) if a != b), None)
        upto = "" if shared is None else f"-{self.scheme.separator.join(map(str, self.last[shared:]))}"
        return self.scheme.address(*self.first) + upto

    @property
    def addresses(self) -> tuple[str, ...]:
        """The address of each verse; of a range across chapters only its two ends."""
        if self.is_whole_chapter:
            return ()
        (*chapter, first), (*to, last) = self.first, self.last
        if chapter == to and first <= last <= first + LONGEST_SECTION:
            return tuple(self.scheme.address(*chapter, verse) for verse in range(first, last + 1))
        return tuple(self.scheme.address(*end) for end in (self.first, self.last))

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(map(address_key, self.addresses))

    def covers(self, address: str) -> bool:
        """Whether a passage begins within this range."""
        numbers = numbers_of(address)
        same_book = fold(label_of(address)) == fold(self.scheme.label.removesuffix(":"))
        return same_book and len(numbers) == len(self.first) and self.first <= numbers <= self.last


def address_key(address: str) -> str:
    """The folded address that look-ups compare: BG 2.13 → bg 2 13. Idempotent."""
    return fold(address)


def address_keys(address: str) -> tuple[str, ...]:
    """The keys of a section, its own first: BG 1.16-18 has bg 1 16 18, 1 16, 1 17 and 1 18."""
    found = _PLACE.search(address.strip())
    if not found or not found[2]:
        return (address_key(address),)
    first, last = numbers_of(address)[-1], int(found[2])
    stem = address.strip()[: found.end(1)].removesuffix(str(first))
    verses = range(first, last + 1) if last - first <= LONGEST_SECTION else ()
    return address_key(address), *(address_key(f"{stem}{verse}") for verse in verses)


def last_verse(address: str, first: int) -> int:
    """The last verse of a section that begins with verse `first`: 47 for BG 1.46-47."""
    found = _RANGE.search(address.strip())
    if found and int(found[1]) == first <= int(found[2]) <= first + LONGEST_SECTION:
        return int(found[2])
    return first


def numbers_of(address: str) -> tuple[int, ...]:
    """The numbers at the end of an address, of a range the first: SB 1.2.3 → (1, 2, 3); () without any."""
    found = _PLACE.search(address.strip())
    return tuple(int(number) for number in re.split(r"[.:]", found[1])) if found else ()


def label_of(address: str) -> str:
    """The label of an address: CC Adi 1.1 → CC Adi."""
    found = _PLACE.search(address.strip())
    return address.strip()[: found.start()].strip() if found else address.strip()


def chapter_numbers(name: str) -> tuple[int, ...]:
    """The numbers of a chapter in a work's counts of verses: 1.2 → (1, 2); () where it is not named by numbers."""
    try:
        return tuple(int(number) for number in name.split("."))
    except ValueError:
        return ()


def sort_key(address: str, positions: Mapping[str, int]) -> tuple[int, str, tuple[int, ...]]:
    """Sorts addresses by the position of their book, then by number. Labels without a position come last, by name."""
    label = label_of(address)
    return positions.get(label, len(positions)), label, numbers_of(address)


def chapters_of(addresses: Iterable[str]) -> dict[str, dict[str, int]]:
    """Highest verse by chapter, for addresses with two or more numbers: SB 1.2.34 → {"SB": {"1.2": 34}}."""
    books: dict[str, dict[str, int]] = {}
    for address in addresses:
        *outer, verse = numbers_of(address) or (0,)
        if len(outer) > 1:
            counts = books.setdefault(label_of(address), {})
            chapter = ".".join(map(str, outer))
            counts[chapter] = max(last_verse(address, verse), counts.get(chapter, 0))
    return books
