"""Finds the near-duplicates a previewed import would create, by the rule of the index run; stores nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from corpus.domain.duplicates import wordings
from corpus.indexing.duplicates import (
    BATCH,
    COMPARED_MOST,
    RULES,
    ComparedChunk,
    Link,
    bands_of,
    link_batch,
    serving_in,
    uncompared,
)
from corpus.models import Chunk, Fingerprint

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
        self._new: dict[UUID, ComparedChunk] = {}  # without wordings, which take ten times the memory of the text
        self._titles: dict[UUID, str] = {}
        self._room = CHUNKS_KEPT
        for batch in _batches(uncompared().order_by("pk").values_list("pk", flat=True)[:CHUNKS_KEPT]):
            for chunk in batch:
                self._remember(chunk.pk, bands_of(chunk.folded_text))

    def compare(self, chunks: QuerySet[Chunk], title: str) -> PreviewedDuplicates:
        """Compare the new chunks of a source; call it in the transaction that stores them."""
        links: list[Link] = []
        own: set[UUID] = set()
        for batch in _batches(_uncompared_of(chunks)):
            compared = [ComparedChunk.of(chunk) for chunk in batch]
            own |= {chunk.pk for chunk in compared}
            links += self._linked(compared, title)
        full = (
            ""
            if self._room >= 0
            else "there are too many files to compare them all, so there may be more near-duplicates"
        )
        dropped = [link for link in links if link.duplicate.pk in own]
        followed = [link.serves.pk for link in dropped]
        outdone = [link.duplicate.pk for link in links if link.duplicate.pk not in own]
        said = (_dropped(self._counted(followed, own), len(own)), _replaced(self._counted(outdone, own)), full)
        return PreviewedDuplicates(
            len(followed), "; ".join(filter(None, said)), self._shown(dropped[:DROPPED_SHOWN], own)
        )

    def _linked(self, batch: Sequence[ComparedChunk], title: str) -> list[Link]:
        """The links of a batch. Remembers its retrievable chunks for later batches."""
        bands = {chunk.pk: bands_of(chunk.words) for chunk in batch}
        meeting, serving = serving_in({band for each in bands.values() for band in each}, self._bands)
        for others in meeting.values():
            others -= bands.keys()  # exclude the chunk itself and those compared later
        met = set().union(*meeting.values()) & self._new.keys()
        for pk in met:
            serving[pk] = replace(self._new[pk], wordings=wordings(self._new[pk].words, RULES.words))
        links = link_batch(batch, bands, meeting, serving)
        for link in links:
            self._new.pop(link.duplicate.pk, None)
        for chunk in batch:
            if chunk.pk in serving and self._remember(chunk.pk, bands[chunk.pk]):
                self._new[chunk.pk], self._titles[chunk.pk] = replace(chunk, wordings=frozenset()), title
        return links

    def _remember(self, pk: UUID, bands: Iterable[int]) -> bool:
        """Remember a chunk under its bands if there is room; return whether there was."""
        self._room -= 1
        if self._room >= 0:
            for band in bands:
                if len(self._bands[band]) < COMPARED_MOST:
                    self._bands[band].add(pk)
        return self._room >= 0

    def _counted(self, ids: Sequence[UUID], own: set[UUID]) -> Counter[str]:
        """Counts of chunks by the title of their source, "itself" for the previewed source."""
        titles = self._titled(ids, own)
        return Counter(titles[pk] for pk in ids)

    def _titled(self, ids: Iterable[UUID], own: set[UUID]) -> dict[UUID, str]:
        stored = Chunk.objects.filter(pk__in=set(ids)).order_by()
        titles = dict(stored.values_list("pk", Coalesce("lecture__title", "work__title")))
        return {pk: _ITSELF if pk in own else self._titles.get(pk) or titles[pk] for pk in ids}

    def _shown(self, links: Sequence[Link], own: set[UUID]) -> tuple[tuple[str, str, float], ...]:
        titles = self._titled([link.serves.pk for link in links], own)
        texts = dict(Chunk.objects.filter(pk__in=[link.duplicate.pk for link in links]).values_list("pk", "text"))
        return tuple((texts[link.duplicate.pk], titles[link.serves.pk], link.likeness) for link in links)


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


def _uncompared_of(chunks: QuerySet[Chunk]) -> Iterator[UUID]:
    """The ids of those chunks that are `uncompared`, by reading their own fingerprints.

    For the question in one query, PostgreSQL reads every fingerprint of the corpus, for each source anew.
    """
    rows = list(chunks.filter(retrievable=True).order_by().values_list("pk", "content_hash", "duplicate_of"))
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        prints = Fingerprint.objects.filter(chunk__in=[pk for pk, *_ in batch])
        known = {pk: (text_hash, bands) for pk, text_hash, bands in prints.values_list("chunk", "text_hash", "bands")}
        for pk, content_hash, duplicate_of in batch:
            text_hash, bands = known.get(pk, ("", []))
            if text_hash != content_hash or (not bands and duplicate_of is None):
                yield pk


def _batches(chunks: Iterable[UUID]) -> Iterator[list[Chunk]]:
    """The chunks with these ids, in their order."""
    ids = sorted(chunks)
    for start in range(0, len(ids), BATCH):
        rows = Chunk.objects.filter(pk__in=ids[start : start + BATCH])
        yield sorted(rows.defer("search_vector", "cues", "paragraphs"), key=lambda chunk: chunk.pk)
