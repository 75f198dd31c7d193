"""Addresses against the corpus: known book names, existing verses, and lectures by their day."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from corpus.domain.addresses.address import AddressMention, Scheme, address_key, chapter_numbers
from corpus.domain.addresses.words import AddressBook
from corpus.domain.dates import dates_in
from corpus.domain.text.folding import fold
from corpus.models import AddressScheme, Lecture, Section, Work
from corpus.models.sources import Source
from corpus.selectors import corpus_version, words_version

PARAGRAPHS = ("paragraph",)
LONGEST_CHAPTER = 1000  # verses of one chapter that a question may ask for
LONGEST_RANGE = 40  # verses; the limit of the address lane
MOST_ADDRESSES = 40  # different ones that a question may name
MOST_DAYS = 10  # that a question may name

S = TypeVar("S", Lecture, Work)
Chapters = Mapping[tuple[int, ...], int]  # verses by chapter: {(2,): 72}, {(1, 2): 34}


@dataclass(frozen=True, slots=True)
class Shelf:
    """The known book names, and per label the verses of each chapter.

    A lecture's numbered paragraphs count as verses of one chapter without a number.
    """

    book: AddressBook
    chapters: Mapping[str, Chapters]

    def keys(self, mention: AddressMention) -> tuple[str, ...]:
        """Folded addresses of the mentioned passages, chapter by chapter; none for a book outside the corpus."""
        scheme = mention.scheme
        if len(scheme.levels) == 1:
            return mention.keys
        return tuple(address_key(scheme.address(*numbers)) for numbers in self._verses(mention))

    def fault(self, mention: AddressMention, *, missing_book: bool = True) -> str | None:
        """One sentence on why the mentioned passage does not exist; None where it does.

        missing_book: also report a book that is not among the sources.
        """
        scheme, chapters = mention.scheme, self.chapters.get(mention.scheme.label)
        if not chapters and len(scheme.levels) > 1:
            return _no_book(mention) if missing_book else None
        if chapters:
            missing = (_no_passage(scheme, end, chapters) for end in (mention.first, mention.last))
            if fault := next(filter(None, missing), None):
                return fault
        if mention.last < mention.first:
            first, last = (scheme.address(*end) for end in (mention.first, mention.last))
            return f"{mention.address} runs backwards: {last} comes before {first}."
        number = self._length(mention)
        if not mention.is_whole_chapter and number > LONGEST_RANGE:
            held = _counted(number, scheme.levels[-1])
            return f"{mention.address} is {held} long; ask for at most {LONGEST_RANGE} at once."
        return None

    def closest(self, mention: AddressMention) -> tuple[str, ...]:
        """Folded addresses near a mentioned one, the closest first; none for a book outside the corpus.

        They go backwards from the verse, or from the last one of the last chapter before a missing chapter.
        """
        chapters = self.chapters.get(mention.scheme.label)
        if not chapters:
            return ()
        outer = len(mention.scheme.levels) - 1
        wanted = mention.first[:outer]
        chapter = max((numbers for numbers in chapters if numbers <= wanted), default=min(chapters))
        last = chapters[chapter]
        verse = min(mention.first[outer], last) if chapter == wanted and len(mention.first) > outer else last
        verses = range(verse, max(0, verse - LONGEST_RANGE), -1)
        return tuple(address_key(mention.scheme.address(*chapter, number)) for number in verses)

    def _length(self, mention: AddressMention) -> int:
        if len(mention.scheme.levels) == 1:
            return mention.last[-1] - mention.first[-1] + 1
        return sum(1 for _ in self._verses(mention))

    def _verses(self, mention: AddressMention) -> Iterator[tuple[int, ...]]:
        outer = len(mention.scheme.levels) - 1
        first, last = mention.first, mention.last
        chapters = self.chapters.get(mention.scheme.label, {})
        for chapter in sorted(numbers for numbers in chapters if first[:outer] <= numbers <= last[:outer]):
            begin = first[-1] if chapter == first[:-1] else 1
            end = last[-1] if chapter == last[:-1] else min(chapters[chapter], LONGEST_CHAPTER)
            yield from ((*chapter, verse) for verse in range(begin, end + 1))


def shelf(collections: Sequence[UUID] | None = None) -> Shelf:
    """The shelf of these collections, or of all when None. Cached until the corpus or a scheme changes."""
    return _shelf(corpus_version(), words_version(), None if collections is None else tuple(collections))


def lecture_keys(text: str, collections: Sequence[UUID] | None = None) -> tuple[tuple[str, ...], str]:
    """Address keys of the lectures given on a day named in `text`, and the text without the day and place.

    Only published lectures in these collections (all when None). A place named in the text selects among the lectures
    of the day.
    """
    keys: list[str] = []
    rest = text
    days: dict[date, list[str]] = {}
    for day, (start, end) in dates_in(text):
        days.setdefault(day, []).append(text[start:end])
    for day, written in list(days.items())[:MOST_DAYS]:
        lectures = list(_standing(Lecture, collections).filter(date=day).only("place"))
        named = [lecture for lecture in lectures if lecture.place and fold(lecture.place) in fold(text)]
        sections = Section.objects.filter(lecture__in=named or lectures).order_by("lecture_id", "ordinal")
        keys += sections.values_list("address_key", flat=True)[:LONGEST_CHAPTER]
        if lectures:
            for words in (*written, *(lecture.place for lecture in named)):
                rest = rest.replace(words, " ")
    return tuple(keys), rest


@functools.lru_cache(maxsize=64)
def _shelf(version: str, words: str, collections: tuple[UUID, ...] | None) -> Shelf:
    """`version` and `words` are cache keys only."""
    chapters = _chapters(_standing(Work, collections))
    registry = list(AddressScheme.objects.all())
    lectures = _numbered_lectures(_standing(Lecture, collections))
    names = _lecture_names([scheme for scheme, _ in lectures])
    for label in chapters.keys() - {row.label for row in registry}:
        names[fold(label)] = Scheme(label, "." if label.isupper() else ":", _levels(chapters[label]))
    for row in registry:
        names |= dict.fromkeys(row.names, row.scheme)
    for scheme, last in lectures:
        if last:
            chapters[scheme.label] = {(): max(last, chapters.get(scheme.label, {}).get((), 0))}
    return Shelf(AddressBook(names), chapters)


def _standing(model: type[S], collections: Sequence[UUID] | None) -> QuerySet[S]:
    """Published sources of a kind in these collections."""
    within = {} if collections is None else {"collection__in": collections}
    return model._default_manager.filter(state=Source.State.PUBLISHED, **within)


def _chapters(works: QuerySet[Work]) -> dict[str, Chapters]:
    """Verses by chapter over all works. Where two editions differ, the longer chapter counts."""
    found: dict[str, dict[tuple[int, ...], int]] = {}
    for books in works.values_list("books", flat=True):
        for label, counts in books.items():
            held = found.setdefault(label, {})
            for chapter, count in counts.items():
                if numbers := chapter_numbers(chapter):
                    held[numbers] = max(count, held.get(numbers, 0))
    return dict(found)


def _levels(chapters: Chapters) -> tuple[str, ...]:
    depth = max((len(chapter) for chapter in chapters), default=1)
    return (*("part" for _ in range(depth - 1)), "chapter", "verse")


def _numbered_lectures(lectures: QuerySet[Lecture]) -> list[tuple[Scheme, int]]:
    """Each lecture with numbered paragraphs, and its last number; 0 where the numbers do not run from 1."""
    later = Section.objects.filter(lecture=OuterRef("lecture")).order_by("-ordinal")
    rows = Section.objects.filter(lecture__in=lectures, ordinal=0).annotate(last=Subquery(later.values("address")[:1]))
    found = []
    for address, last, title in rows.values_list("address", "last", "lecture__title"):
        label, _, first = address.rpartition(":")
        number = last.removeprefix(f"{label}:")
        if first.isdecimal():
            counted = int(first) > 0 and number.isdecimal()
            found.append((Scheme(f"{label}:", "", PARAGRAPHS, title), int(number) if counted else 0))
    return found


def _lecture_names(schemes: Sequence[Scheme]) -> dict[str, Scheme]:
    """Schemes by address label, and by title where the title is unique."""
    titled: dict[str, list[Scheme]] = {}
    for scheme in schemes:
        titled.setdefault(fold(scheme.title), []).append(scheme)
    unique = {title: held[0] for title, held in titled.items() if len(held) == 1 and title}
    return unique | {fold(scheme.label): scheme for scheme in schemes}


def _no_book(mention: AddressMention) -> str:
    scheme = mention.scheme
    named = scheme.address(*mention.first)
    return f"{scheme.title or scheme.label} is not among these sources, so there is no {named} to show."


def _no_passage(scheme: Scheme, numbers: tuple[int, ...], chapters: Chapters) -> str | None:
    """A sentence naming the first level at which this chapter or verse does not exist; None where it exists."""
    outer = len(scheme.levels) - 1
    chapter, verse = numbers[:outer], numbers[outer:]
    if chapter in chapters:
        if not verse or 1 <= verse[0] <= chapters[chapter]:
            return None
        depth, last = outer, chapters[chapter]
    else:
        depth = next(d for d in range(outer) if not any(c[: d + 1] == chapter[: d + 1] for c in chapters))
        beside = [known for known in chapters if known[:depth] == chapter[:depth] and len(known) > depth]
        last = max((known[depth] for known in beside), default=0)
    whole = _chapter_in_words(scheme, chapter[:depth]) if depth else scheme.title or scheme.label
    return f"{whole} has {_counted(last, scheme.levels[depth])}, so there is no {scheme.address(*numbers)}."


def _chapter_in_words(scheme: Scheme, chapter: tuple[int, ...]) -> str:
    """ "Chapter 2 of Bhagavad-gītā", "Canto 1, chapter 2 of Śrīmad-Bhāgavatam"."""
    parts = ", ".join(f"{level} {number}" for level, number in zip(scheme.levels, chapter, strict=False))
    return f"{parts[:1].upper()}{parts[1:]} of {scheme.title or scheme.label}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
