"""Which lectures discuss a verse: read from the addresses that their paragraphs name, ahead of every look-up."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet, TextField, Value
from django.db.models.functions import MD5, Concat

from corpus.catalogue.links import paragraph_anchor
from corpus.domain.addresses.address import address_keys
from corpus.domain.addresses.parsing import addresses_in
from corpus.domain.addresses.words import AddressBook
from corpus.models import AddressScheme, Collection, Lecture, Section, VerseMention
from corpus.querysets import Reader

LECTURES_SHOWN = 20
PLACES_SHOWN = 5  # of one lecture
TOGETHER = 100  # lectures read in one transaction: a passage alone took longer to store than to read
LONGEST_KEY = 200  # characters; a longer address is of no verse


@dataclass(frozen=True, slots=True)
class MentionPlace:
    """A paragraph that names the verse. start: seconds, or None."""

    anchor: str
    address: str
    start: float | None


@dataclass(frozen=True, slots=True)
class DiscussingLecture:
    """A lecture that names a verse, and the first places where it does."""

    lecture: Lecture
    places: tuple[MentionPlace, ...]


def lectures_discussing(reader: Reader, verse: Section) -> list[DiscussingLecture]:
    """The published lectures that the reader may see and that name this verse, by title; at most LECTURES_SHOWN."""
    named = VerseMention.objects.filter(address_key__in=address_keys(verse.address))
    visible = Collection.objects.visible_to(reader)
    published = Lecture.objects.filter(state=Lecture.State.PUBLISHED, collection__in=visible)
    shown = published.filter(sections__mentions__in=named)
    lectures = list(shown.only("title", "language", "date").distinct().order_by("title", "pk")[:LECTURES_SHOWN])
    places = Section.objects.filter(lecture__in=lectures, mentions__in=named).distinct()
    found: dict[object, list[MentionPlace]] = {}
    for section in places.only("lecture", "address", "start", "ordinal").order_by("lecture", "ordinal"):
        place = MentionPlace(paragraph_anchor(section.address), section.address, section.start)
        found.setdefault(section.lecture_id, []).append(place)
    return [DiscussingLecture(lecture, tuple(found[lecture.pk][:PLACES_SHOWN])) for lecture in lectures]


def mentions_refresh() -> int:
    """Read the lectures whose text, or the books' names, changed since they were read; return how many.

    Safe to stop and to run twice at once.
    """
    book = _verse_books()
    changed = list(_unread_lectures(book).order_by("pk").values_list("pk", flat=True))
    return sum(_read_lectures(changed[at : at + TOGETHER], book) for at in range(0, len(changed), TOGETHER))


def _stamp(book: AddressBook) -> MD5:
    names = hashlib.md5(repr(sorted(book.schemes.items())).encode(), usedforsecurity=False).hexdigest()
    return MD5(Concat(Value(names), F("text"), output_field=TextField()))


def _unread_lectures(book: AddressBook) -> QuerySet[Lecture]:
    return Lecture.objects.exclude(verses_read=_stamp(book))


@transaction.atomic
def _read_lectures(ids: Sequence[UUID], book: AddressBook) -> int:
    """Replace the mentions of these lectures and return of how many: not of those that another process changes."""
    unread = _unread_lectures(book).filter(pk__in=ids)
    free = list(unread.select_for_update(no_key=True, skip_locked=True).values_list("pk", flat=True))
    VerseMention.objects.filter(section__lecture__in=free).delete()
    sections = Section.objects.filter(lecture__in=free).only("text").iterator()
    VerseMention.objects.bulk_create(mention for section in sections for mention in _mentions_in(section, book))
    Lecture.objects.filter(pk__in=free).update(verses_read=_stamp(book))
    return len(free)


def _mentions_in(section: Section, book: AddressBook) -> Iterator[VerseMention]:
    """The verses that a paragraph names, each once. A whole chapter names none, a range over chapters its two ends."""
    keys = {key for mention in addresses_in(section.text, book) for key in mention.keys if len(key) <= LONGEST_KEY}
    for key in sorted(keys):
        yield VerseMention(section=section, address_key=key)


def _verse_books() -> AddressBook:
    """The books whose passages have chapters; a lecture's paragraphs are no verses."""
    rows = AddressScheme.objects.order_by("position", "label")
    return AddressBook({name: row.scheme for row in rows for name in row.names})
