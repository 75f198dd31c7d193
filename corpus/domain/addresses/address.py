"""Addresses: BG 2.13, John 11:35, SB 1.2.3, CW1:secret_of_work:3. Their schemes, spelling, keys and order."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from corpus.domain.text.folding import fold

LONGEST_SECTION = 100  # verses
CHAPTER_AND_VERSE = ("chapter", "verse")
_PLACE = re.compile(r"(?:^|[\s:.])(\d+(?:[.:]\d+)*)(?:[-–](\d+))?$")


@dataclass(frozen=True, slots=True)
class Scheme:
    """How one book's passages are numbered.

    label leads its addresses ("BG"); title is its name in words; levels name its numbers from the outermost in
    ("canto", "chapter", "verse"); separator stands between them. A lecture's paragraphs are a scheme of one level,
    whose label ends in ":". position orders the books of a shelf.
    """

    label: str
    separator: str = "."
    levels: tuple[str, ...] = CHAPTER_AND_VERSE
    title: str = ""
    position: int = 0

    def address(self, *numbers: int) -> str:
        """Return the canonical address of a passage, or of a chapter where the last number is left out."""
        glue = "" if self.label.endswith(":") else " "
        return f"{self.label}{glue}{self.separator.join(map(str, numbers))}"


@dataclass(frozen=True, slots=True)
class AddressMention:
    """An address a question names: the words that name it, whose scheme it follows, and the passages meant.

    first, last: the numbers of the range's ends, the same for a single passage; without the verse where whole
    chapters are named. The last may stand before the first, as readers write it.
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
        """Return the canonical form: BG 2.13, BG 2.13-15, BG 2.70-3.5, BG 2-3."""
        shared = next((n for n, (a, b) in enumerate(zip(self.first, self.last, strict=True)) if a != b), None)
        upto = "" if shared is None else f"-{self.scheme.separator.join(map(str, self.last[shared:]))}"
        return self.scheme.address(*self.first) + upto

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return the canonical address of each verse; without counts, of a range across chapters its two ends."""
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
        """Does a passage begin within this range, also between its ends in a chapter that neither names?"""
        numbers = numbers_of(address)
        same_book = fold(label_of(address)) == fold(self.scheme.label.removesuffix(":"))
        return same_book and len(numbers) == len(self.first) and self.first <= numbers <= self.last


def address_key(address: str) -> str:
    """Return the folded address that look-ups compare: BG 2.13 → bg 2 13. Idempotent."""
    return fold(address)


def address_keys(address: str) -> tuple[str, ...]:
    """Return the key of every verse a section holds, its own first: BG 1.16-18 has bg 1 16 18, 1 16, 1 17 and 1 18."""
    found = _PLACE.search(address.strip())
    if not found or not found[2]:
        return (address_key(address),)
    first, last = numbers_of(address)[-1], int(found[2])
    stem = address.strip()[: found.end(1)].removesuffix(str(first))
    verses = range(first, last + 1) if last - first <= LONGEST_SECTION else ()
    return address_key(address), *(address_key(f"{stem}{verse}") for verse in verses)


def numbers_of(address: str) -> tuple[int, ...]:
    """Return the numbers an address ends in, of a range its first: SB 1.2.3 → (1, 2, 3); () without any."""
    found = _PLACE.search(address.strip())
    return tuple(int(number) for number in re.split(r"[.:]", found[1])) if found else ()


def label_of(address: str) -> str:
    """Return what leads an address: CC Adi 1.1 → CC Adi."""
    found = _PLACE.search(address.strip())
    return address.strip()[: found.start()].strip() if found else address.strip()


def sort_key(address: str, positions: Mapping[str, int]) -> tuple[int, str, tuple[int, ...]]:
    """Order addresses as their books stand on the shelf, then by number: BG 2.9 before BG 2.13.

    `positions` gives each label its place; labels without one come last, by name.
    """
    label = label_of(address)
    return positions.get(label, len(positions)), label, numbers_of(address)


def chapters_of(addresses: Iterable[str]) -> dict[str, dict[str, int]]:
    """Count verses by chapter, up to the highest seen, where a chapter takes several numbers.

    SB 1.2.33 and SB 1.2.34 → {"SB": {"1.2": 34}}.
    """
    books: dict[str, dict[str, int]] = {}
    for address in addresses:
        *outer, verse = numbers_of(address) or (0,)
        if len(outer) > 1:
            counts = books.setdefault(label_of(address), {})
            chapter = ".".join(map(str, outer))
            counts[chapter] = max(verse, counts.get(chapter, 0))
    return books
