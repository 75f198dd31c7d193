"""The lectures that passages may name by their titles."""

import functools
from collections.abc import Mapping, Sequence
from uuid import UUID

from corpus.domain.titles import title_key
from corpus.models import Lecture
from corpus.selectors import corpus_version

NAMESAKES = 3  # lectures of one title; what more of them share ("Questions and answers") is no name


def lectures_titled(collections: Sequence[UUID] | None = None) -> Mapping[str, tuple[UUID, ...]]:
    """Return {title as texts name it, folded: its lectures} in these collections, in all where None.

    Cached until an import or an editor changes the corpus.
    """
    return _titled(corpus_version(), None if collections is None else tuple(collections))


@functools.lru_cache(maxsize=16)
def _titled(version: str, collections: tuple[UUID, ...] | None) -> Mapping[str, tuple[UUID, ...]]:
    """`version` only tells one state of the corpus from the next."""
    within = {} if collections is None else {"collection__in": collections}
    published = Lecture.objects.filter(state=Lecture.State.PUBLISHED, **within)
    found: dict[str, list[UUID]] = {}
    for pk, title in published.order_by("pk").values_list("pk", "title"):
        if key := title_key(title):
            found.setdefault(key, []).append(pk)
    return {key: tuple(lectures) for key, lectures in found.items() if len(lectures) <= NAMESAKES}
