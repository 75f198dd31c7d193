"""What the corpus knows of addresses: which names lead where, which verses exist, and what a lecture's day leads to."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from corpus.domain.addresses.address import AddressMention, Scheme, address_key
from corpus.domain.addresses.words import AddressBook
from corpus.domain.dates import dates_in
from corpus.domain.text.folding import fold
from corpus.models import AddressScheme, Lecture, Section, Work
from corpus.models.sources import Source
from corpus.selectors import corpus_version, words_version

PARAGRAPHS = ("paragraph",)
LONGEST_CHAPTER = 1000  # verses of one chapter that a question may ask for
LONGEST_RANGE = 40  # verses; the address lane returns no more

S = TypeVar("S", Lecture, Work)
Chapters = Mapping[tuple[int, ...], int]  # verses by chapter: {(2,): 72}, {(1, 2): 34}


@dataclass(frozen=True, slots=True)
class Shelf:
    """The names readers use, and for each label on the shelf its chapters and their verses.

    A lecture's paragraphs stand as the verses of one chapter without a number.
    """

    book: AddressBook
    chapters: Mapping[str, Chapters]

    def keys(self, mention: AddressMention) -> tuple[str, ...]:
        """Return the folded addresses meant, chapter by chapter as they are counted; of a book not here none."""
        scheme = mention.scheme
        if len(scheme.levels) == 1:
            return mention.keys
        return tuple(address_key(scheme.address(*numbers)) for numbers in self._verses(mention))

    def fault(self, mention: AddressMention, *, missing_book: bool = True) -> str | None:
        """Return one sentence that says why there is no such passage, None where there is.

        missing_book: say so too where the whole book is not among the sources.
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
            return f"{mention.address} is {held} long, and a question may name {LONGEST_RANGE} at once; ask for fewer."
        return None

    def _length(self, mention: AddressMention) -> int:
        if len(mention.scheme.levels) == 1:
            return mention.last[-1] - mention.first[-1] + 1
        return sum(1 for _ in self._verses(mention))

    def _verses(self, mention: AddressMention) -> Iterator[tuple[int, ...]]:
        """Yield the numbers of every verse from the first to the last."""
        outer = len(mention.scheme.levels) - 1
        first, last = mention.first, mention.last
        chapters = self.chapters.get(mention.scheme.label, {})
        for chapter in sorted(one for one in chapters if first[:outer] <= one <= last[:outer]):
            begin = first[-1] if chapter == first[:-1] else 1
            end = last[-1] if chapter == last[:-1] else min(chapters[chapter], LONGEST_CHAPTER)
            yield from ((*chapter, verse) for verse in range(begin, end + 1))


def shelf(collections: Sequence[UUID] | None = None) -> Shelf:
    """Return what stands in these collections, in all where None. Cached until an import or an editor changes it."""
    return _shelf(corpus_version(), words_version(), None if collections is None else tuple(collections))


def lecture_keys(text: str, collections: Sequence[UUID] | None = None) -> tuple[tuple[str, ...], str]:
    """Return the addresses of the lectures given on a day that `text` names, and the text without day and place.

    Only of the lectures in these collections (of all where None) that can be found.

    A place that the text names chooses among the day's lectures.
    """
    keys: list[str] = []
    rest = text
    for day, (start, end) in dates_in(text):
        lectures = list(_standing(Lecture, collections).filter(date=day).only("place"))
        named = [lecture for lecture in lectures if lecture.place and fold(lecture.place) in fold(text)]
        sections = Section.objects.filter(lecture__in=named or lectures).order_by("lecture_id", "ordinal")
        keys += sections.values_list("address_key", flat=True)[:LONGEST_CHAPTER]
        if lectures:
            rest = rest.replace(text[start:end], " ")
            for lecture in named:
                rest = rest.replace(lecture.place, " ")
    return tuple(keys), rest


@functools.lru_cache(maxsize=64)
def _shelf(version: str, words: str, collections: tuple[UUID, ...] | None) -> Shelf:
    """`version` and `words` only tell one state of the corpus and of the schemes from the next."""
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
    """Return the sources of a kind that look-ups may find in these collections."""
    within = {} if collections is None else {"collection__in": collections}
    return model._default_manager.filter(state=Source.State.PUBLISHED, **within)


def _chapters(works: QuerySet[Work]) -> dict[str, Chapters]:
    """Count verses over every work; where two editions differ, the longer chapter counts."""
    found: dict[str, dict[tuple[int, ...], int]] = {}
    for books in works.values_list("books", flat=True):
        for label, counts in books.items():
            held = found.setdefault(label, {})
            for chapter, count in counts.items():
                numbers = tuple(int(number) for number in chapter.split("."))
                held[numbers] = max(count, held.get(numbers, 0))
    return dict(found)


def _levels(chapters: Chapters) -> tuple[str, ...]:
    depth = max((len(chapter) for chapter in chapters), default=1)
    return (*("part" for _ in range(depth - 1)), "chapter", "verse")


def _numbered_lectures(lectures: QuerySet[Lecture]) -> list[tuple[Scheme, int]]:
    """Return each lecture whose paragraphs are numbered, and its last number; 0 where not all count from 1."""
    later = Section.objects.filter(lecture=OuterRef("lecture")).order_by("-ordinal")
    rows = Section.objects.filter(lecture__in=lectures, ordinal=0).annotate(last=Subquery(later.values("address")[:1]))
    found = []
    for address, last, title in rows.values_list("address", "last", "lecture__title"):
        label, _, first = address.rpartition(":")
        number = last.removeprefix(f"{label}:")
        if first.isdigit():
            counted = int(first) > 0 and number.isdigit()
            found.append((Scheme(f"{label}:", "", PARAGRAPHS, title), int(number) if counted else 0))
    return found


def _lecture_names(schemes: Sequence[Scheme]) -> dict[str, Scheme]:
    """Return the lectures by the label of their addresses, and by title where only one lecture has it."""
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
    """Say how many there are at the first level where this chapter or verse does not fit, None where it does."""
    outer = len(scheme.levels) - 1
    chapter, verse = numbers[:outer], numbers[outer:]
    if chapter in chapters:
        if not verse or 1 <= verse[0] <= chapters[chapter]:
            return None
        depth, last = outer, chapters[chapter]
    else:
        depth = next(d for d in range(outer) if not any(c[: d + 1] == chapter[: d + 1] for c in chapters))
        last = max((one[depth] for one in chapters if one[:depth] == chapter[:depth]), default=0)
    whole = _chapter_in_words(scheme, chapter[:depth]) if depth else scheme.title or scheme.label
    return f"{whole} has {_counted(last, scheme.levels[depth])}, so there is no {scheme.address(*numbers)}."


def _chapter_in_words(scheme: Scheme, chapter: tuple[int, ...]) -> str:
    """Return "Chapter 2 of Bhagavad-gītā", "Canto 1, chapter 2 of Śrīmad-Bhāgavatam"."""
    parts = ", ".join(f"{level} {number}" for level, number in zip(scheme.levels, chapter, strict=False))
    return f"{parts[:1].upper()}{parts[1:]} of {scheme.title or scheme.label}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
