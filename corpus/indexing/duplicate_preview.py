"""Finds the near-duplicates a previewed import would create, by the rule of the index run; stores nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models.functions import Coalesce

from corpus.domain.duplicates import should_replace
from corpus.indexing.duplicates import (
    BATCH,
    COMPARED_MOST,
    ComparedChunk,
    Link,
    link_batch,
    serving_in,
    uncompared,
)
from corpus.indexing.minhash import bands_of
from corpus.models import Chunk, Fingerprint, Lecture, Work

CHUNKS_KEPT = 50_000  # chunks whose bands and text are kept in memory during a preview
TITLES_SHOWN = 3
DROPPED_SHOWN = 5  # per source
_ITSELF = "itself"


@dataclass(frozen=True, slots=True)
class PreviewedDuplicates:
    """How many chunks of a source would be duplicates, and a sentence on them for the editor, or "".

    dropped: of the first few, (text, title of the source that is found instead, likeness).
    """

    duplicates: int
    said: str
    dropped: tuple[tuple[str, str, float], ...] = ()


class DuplicatePreview:
    """Compares the sources of a preview with the corpus and with each other.

    A source exists only within a transaction that is rolled back, so its chunks are kept here for comparison with later
    sources, as are stored chunks that no index run has compared yet.
    """

    def __init__(self) -> None:
        self._bands: defaultdict[int, set[UUID]] = defaultdict(set)
        self._new: dict[UUID, ComparedChunk] = {}
        self._titles: dict[UUID, str] = {}
        self._room = CHUNKS_KEPT
        for batch in _batches(list(uncompared().order_by("pk").values_list("pk", flat=True)[:CHUNKS_KEPT])):
            for chunk in batch:
                self._remember(chunk.pk, bands_of(chunk.folded_text))

    def compare(self, sources: Sequence[Lecture | Work]) -> dict[UUID, PreviewedDuplicates]:
        """Compare the new chunks of these sources, by their ids; call it in the transaction that stores them."""
        titles = {source.pk: source.title for source in sources}
        new = _uncompared_of(sources)
        links: list[Link] = []
        for batch in _batches(list(new)):
            links += self._linked([ComparedChunk.of(chunk) for chunk in batch], new, titles)
        return self._foreseen(links, new, titles)

    def _foreseen(
        self, links: Sequence[Link], new: Mapping[UUID, UUID], sources: Iterable[UUID]
    ) -> dict[UUID, PreviewedDuplicates]:
        """new: the source of each new chunk."""
        full = (
            ""
            if self._room >= 0
            else "there are too many files to compare them all, so there may be more near-duplicates"
        )
        dropped, outdone = defaultdict(list), defaultdict(list)
        for link in links:
            duplicate, serves = link.duplicate, link.serves
            if duplicate.pk in new:
                dropped[new[duplicate.pk]].append(link)
            is_other = serves.pk in new and new.get(duplicate.pk) != new[serves.pk]
            if is_other and should_replace(serves.timed, duplicate.timed):
                outdone[new[serves.pk]].append(link)
        titles = self._titled({chunk.pk for link in links for chunk in (link.duplicate, link.serves)})
        texts = _texts_of(link for few in dropped.values() for link in few[:DROPPED_SHOWN])
        number = Counter(new.values())
        result = {}
        for source in sources:
            own = dropped[source]

            def title_of(chunk: ComparedChunk, source: UUID = source) -> str:
                return _ITSELF if new.get(chunk.pk) == source else titles[chunk.pk]

            said = (
                _dropped(Counter(title_of(link.serves) for link in own), number[source]),
                _replaced(Counter(title_of(link.duplicate) for link in outdone[source])),
                full,
            )
            shown = [(texts[each.duplicate.pk], title_of(each.serves), each.likeness) for each in own[:DROPPED_SHOWN]]
            result[source] = PreviewedDuplicates(len(own), "; ".join(filter(None, said)), tuple(shown))
        return result

    def _linked(
        self, batch: Sequence[ComparedChunk], sources: Mapping[UUID, UUID], titles: Mapping[UUID, str]
    ) -> list[Link]:
        """The links of a batch. Remembers its retrievable chunks for later batches."""
        bands = {chunk.pk: bands_of(chunk.words) for chunk in batch}
        meeting, serving = serving_in({band for each in bands.values() for band in each}, self._bands)
        for others in meeting.values():
            others -= bands.keys()  # exclude the chunk itself and those compared later
        met = set().union(*meeting.values()) & self._new.keys()
        for pk in met:
            serving[pk] = self._new[pk]
        links = link_batch(batch, bands, meeting, serving)
        for link in links:
            self._new.pop(link.duplicate.pk, None)
        for chunk in batch:
            if chunk.pk in serving and self._remember(chunk.pk, bands[chunk.pk]):
                self._new[chunk.pk] = chunk
                self._titles[chunk.pk] = titles[sources[chunk.pk]]
        return links

    def _remember(self, pk: UUID, bands: Iterable[int]) -> bool:
        """Remember a chunk under its bands if there is room; return whether there was."""
        self._room -= 1
        if self._room >= 0:
            for band in bands:
                if len(self._bands[band]) < COMPARED_MOST:
                    self._bands[band].add(pk)
        return self._room >= 0

    def _titled(self, ids: set[UUID]) -> dict[UUID, str]:
        """The title of the source of each chunk, from memory where it was rolled back."""
        stored = Chunk.objects.filter(pk__in=ids - self._titles.keys()).order_by()
        found = dict(stored.values_list("pk", Coalesce("lecture__title", "work__title")))
        return found | {pk: self._titles[pk] for pk in ids & self._titles.keys()}


def _texts_of(links: Iterable[Link]) -> dict[UUID, str]:
    return dict(Chunk.objects.filter(pk__in=[link.duplicate.pk for link in links]).values_list("pk", "text"))


def _dropped(titles: Counter[str], number: int) -> str:
    new, are = _chunks(number, "new chunk"), "is a near-duplicate" if titles.total() == 1 else "are near-duplicates"
    return f"{titles.total()} of {new} {are} of {_listed(titles)}, which search shows instead" if titles else ""


def _replaced(titles: Counter[str]) -> str:
    replaced = f"replaces {_chunks(titles.total(), 'near-duplicate')} in {_listed(titles)}"
    return f"{replaced}, because it can be played" if titles else ""


def _chunks(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(titles: Counter[str]) -> str:
    """The most common titles, with their counts if there are several."""
    named = {title: title if title == _ITSELF else f"“{title}”" for title in titles}
    if len(titles) == 1:
        return next(iter(named.values()))
    shown = [f"{named[title]} ({number})" for title, number in titles.most_common(TITLES_SHOWN)]
    others = sum(number for _, number in titles.most_common()[TITLES_SHOWN:])
    return ", ".join([*shown, *([f"others ({others})"] if others else [])])


def _uncompared_of(sources: Sequence[Lecture | Work]) -> dict[UUID, UUID]:
    """Those chunks of these sources that are `uncompared`, in the order of the sources, and the source of each.

    Reads their own fingerprints alone. For the question in one query, PostgreSQL reads every fingerprint of the corpus,
    for each source anew.
    """
    rows = [row for name, model in (("lecture", Lecture), ("work", Work)) for row in _rows_of(name, model, sources)]
    known: dict[UUID, tuple[str, list[int]]] = {}
    for start in range(0, len(rows), BATCH):
        prints = Fingerprint.objects.filter(chunk__in=[pk for pk, *_ in rows[start : start + BATCH]])
        known |= {pk: (text_hash, bands) for pk, text_hash, bands in prints.values_list("chunk", "text_hash", "bands")}
    found = {}
    for pk, source, content_hash, duplicate_of in rows:
        text_hash, bands = known.get(pk, ("", []))
        if text_hash != content_hash or (not bands and duplicate_of is None):
            found[pk] = source
    place = {source.pk: position for position, source in enumerate(sources)}
    return dict(sorted(found.items(), key=lambda pair: (place[pair[1]], pair[0])))


def _rows_of(name: str, model: type[Lecture | Work], sources: Sequence[Lecture | Work]) -> Iterable[tuple[Any, ...]]:
    keys = [source.pk for source in sources if isinstance(source, model)]
    chunks = Chunk.objects.filter(**{f"{name}__in": keys}, retrievable=True).order_by()
    return chunks.values_list("pk", name, "content_hash", "duplicate_of")


def _batches(ids: Sequence[UUID]) -> Iterator[list[Chunk]]:
    """The chunks with these ids, in their order."""
    for start in range(0, len(ids), BATCH):
        batch = ids[start : start + BATCH]
        rows = Chunk.objects.filter(pk__in=batch).defer("search_vector", "cues", "paragraphs").in_bulk()
        yield [rows[pk] for pk in batch if pk in rows]
