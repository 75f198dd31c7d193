"""The reading list: works, then lectures by series, in the collections a reader may see."""

import functools
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf

from corpus.domain.text.folding import fold
from corpus.models import Chunk, Collection, Lecture, Section, Work
from corpus.querysets import Reader
from corpus.selectors import corpus_version

PAGE_SIZE = 50
S = TypeVar("S", Lecture, Work)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the reading list and the total counts.

    Each lecture has a `heading`: its series, or its collection without a series. Each work has `sections_in_all` and
    `has_verses`. The objects of `page` are positions in the list, not sources.
    """

    works: list[Work]
    lectures: list[Lecture]
    works_in_all: int
    lectures_in_all: int
    page: Page[int]


def listing(reader: Reader, title: str = "", page: str | None = None) -> Listing:
    """A page of the published sources whose title contains every word of `title`, in any spelling or transliteration.

    Works come first, then lectures by series and date. An invalid page number gives the nearest page.
    """
    visible = Collection.objects.visible_to(reader)
    works = titled(Work.objects.filter(state=Work.State.PUBLISHED, collection__in=visible), title)
    lectures = titled(Lecture.objects.filter(state=Lecture.State.PUBLISHED, collection__in=visible), title)
    of_works, of_lectures = works.count(), lectures.count()
    shown = Paginator(range(of_works + of_lectures), PAGE_SIZE).get_page(page)
    first, last = max(0, shown.start_index() - 1), shown.end_index()
    return Listing(
        list(_with_sections(works)[first:last]),
        list(_by_series(lectures)[max(0, first - of_works) : max(0, last - of_works)]),
        of_works,
        of_lectures,
        shown,
    )


def titled(sources: QuerySet[S], title: str) -> QuerySet[S]:
    """The sources whose title contains every word of `title`, in any spelling or transliteration."""
    words = [(word.casefold(), fold(word)) for word in title.split()]
    if not words:
        return sources
    titles = _titles(corpus_version(), sources.model)
    named = [
        pk
        for pk, (written, folded) in titles.items()
        if all(word in written or (spelled and spelled in folded) for word, spelled in words)
    ]
    return sources.filter(pk__in=named)


@functools.lru_cache(maxsize=4)
def _titles(version: str, sources: type[Lecture | Work]) -> dict[UUID, tuple[str, str]]:
    """{source: (lower-case title, folded title)}. `version` is a cache key only."""
    rows = sources.objects.filter(state=Lecture.State.PUBLISHED).order_by("pk").values_list("pk", "title")
    return {pk: (title.casefold(), fold(title)) for pk, title in rows}


def _with_sections(works: QuerySet[Work]) -> QuerySet[Work]:
    counted = Section.objects.filter(work=OuterRef("pk")).order_by().values("work").annotate(all=Count("pk"))
    verses = Chunk.objects.filter(work=OuterRef("pk"), kind=Chunk.Kind.VERSE)
    return (
        works.annotate(sections_in_all=Coalesce(Subquery(counted.values("all")), 0), has_verses=Exists(verses))
        .only("key", "title", "language", "abbreviation", "translator")
        .order_by("title", "pk")
    )


def _by_series(lectures: QuerySet[Lecture]) -> QuerySet[Lecture]:
    series = NullIf("series", Value(""))
    return (
        lectures.annotate(heading=Coalesce(series, "collection__title"))
        .only("key", "title", "language", "speaker", "date", "place", "media", "media_seconds")
        .order_by("heading", F("date").asc(nulls_last=True), "title", "pk")
    )
