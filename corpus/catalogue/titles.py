"""Lectures that a passage can refer to by title."""

import functools
from collections.abc import Mapping, Sequence
from uuid import UUID

from corpus.domain.titles import title_key
from corpus.models import Lecture
from corpus.selectors import corpus_version

NAMESAKES = 3  # lectures of one title; a title of more of them ("Questions and answers") identifies none


def lectures_titled(collections: Sequence[UUID] | None = None) -> Mapping[str, tuple[UUID, ...]]:
    """{folded title: its lectures} in these collections, or in all when None. Cached until the corpus changes."""
    return _titled(corpus_version(), None if collections is None else tuple(collections))


@functools.lru_cache(maxsize=16)
def _titled(version: str, collections: tuple[UUID, ...] | None) -> Mapping[str, tuple[UUID, ...]]:
    """`version` is a cache key only."""
    within = {} if collections is None else {"collection__in": collections}
    published = Lecture.objects.filter(state=Lecture.State.PUBLISHED, **within)
    found: dict[str, list[UUID]] = {}
    for pk, title in published.order_by("pk").values_list("pk", "title"):
        if key := title_key(title):
            found.setdefault(key, []).append(pk)
    return {key: tuple(lectures) for key, lectures in found.items() if len(lectures) <= NAMESAKES}
