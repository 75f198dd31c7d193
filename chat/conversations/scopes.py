"""What a reader can confine a question or a search to: a collection, a series of lectures, a work."""

import functools
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max, Min
from django.utils.formats import number_format
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext

from chat.answering.domain.viewer import Viewer
from corpus.models import Collection, Lecture, Work
from corpus.selectors import corpus_version

MOST = 200  # choices of one sort
NAMED = 4  # series and works named on an empty page


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """value: as a question's `scope` has it. language: the title's, "" where it has none."""

    value: str
    title: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class ScopeGroup:
    name: str
    choices: tuple[ScopeChoice, ...]


def scope_groups(viewer: Viewer) -> tuple[ScopeGroup, ...]:
    """The viewer's choices by sort, without those that would select everything. Cached until the corpus changes."""
    return _groups(corpus_version(), tuple(sorted(viewer.collections)))


def contents_line(groups: tuple[ScopeGroup, ...]) -> str:
    """What there is to ask about, for a first-time reader: the first series and works, and how many more there are."""
    titles = [choice.title for group in groups if group.name != "Collections" for choice in group.choices]
    more = len(titles) - NAMED
    more_titles = ngettext("and %(n)s more", "and %(n)s more", more) % {"n": number_format(more, force_grouping=True)}
    return " · ".join([*titles[:NAMED], *([more_titles] if more > 0 else [])])


def scope_values(groups: tuple[ScopeGroup, ...]) -> set[str]:
    return {choice.value for group in groups for choice in group.choices}


@functools.lru_cache(maxsize=64)
def _groups(version: str, collections: tuple[UUID, ...]) -> tuple[ScopeGroup, ...]:
    """`version` is a cache key only."""
    visible = {"collection__in": collections, "state": Work.State.PUBLISHED}
    shelves = Collection.objects.filter(pk__in=collections).values_list("key", "title")[:MOST]
    lectures = Lecture.objects.filter(**visible).exclude(series="").values("series").order_by("series")
    series = lectures.annotate(first=Min("language"), last=Max("language"))[:MOST]
    works = Work.objects.filter(**visible).order_by("title").values_list("key", "title", "language")[:MOST]
    groups = (
        ScopeGroup(_("Series"), tuple(_series(**row) for row in series)),
        ScopeGroup(_("Works"), tuple(ScopeChoice(f"work:{key}", *named) for key, *named in works if "," not in key)),
        ScopeGroup(_("Collections"), tuple(ScopeChoice(key, title) for key, title in shelves)),
    )
    sorts = [group for group in groups if group.choices and (group.name != "Collections" or len(group.choices) > 1)]
    return tuple(sorts)


def _series(series: str, first: str, last: str) -> ScopeChoice:
    """first, last: the languages of its lectures; a series in several has none."""
    return ScopeChoice(f"series:{series.replace(',', '%2C')}", series, first if first == last else "")
