"""Which chunks of a previewed import would be near-duplicates, by the index run's own rule; nothing is stored."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from corpus.domain.duplicates import wordings
from corpus.indexing.duplicates import BATCH, RULES, ComparedChunk, Link, bands_of, link_batch, serving_in, uncompared
from corpus.models import Chunk

REMEMBERED = 50_000  # chunks, of which bands and text are held: what bounds the memory of a preview
TITLES_SHOWN = 3
DROPPED_SHOWN = 5  # of each source
_ITSELF = "itself"


@dataclass(frozen=True, slots=True)
class ForeseenDuplicates:
    """How many chunks of a source would be duplicates, and what an editor should know of them ("" of none).

    dropped: of the first of them the text, the title of the source that serves instead, and the wordings in common.
    """

    duplicates: int
    said: str
    dropped: tuple[tuple[str, str, float], ...] = ()


class DuplicatePreview:
    """Compares the sources of one preview with the corpus and with each other.

    A source is stored only within the transaction that its preview takes back, so what later ones may duplicate is
    remembered here; and so are the stored chunks that no index run has compared yet.
    """

    def __init__(self) -> None:
        self._bands: defaultdict[int, set[UUID]] = defaultdict(set)
        self._new: dict[UUID, ComparedChunk] = {}  # without wordings, which weigh ten times the text
        self._titles: dict[UUID, str] = {}
        self._room = REMEMBERED
        for batch in _batches(uncompared(), REMEMBERED):
            for chunk in batch:
                self._meets(chunk.pk, bands_of(chunk.folded_text))

    def compare(self, chunks: QuerySet[Chunk], title: str) -> ForeseenDuplicates:
        """Compare a source's chunks that have not been yet; call it in the transaction that stores them."""
        links: list[Link] = []
        own: set[UUID] = set()
        for batch in _batches(uncompared() & chunks):
            compared = [ComparedChunk.of(chunk) for chunk in batch]
            own |= {one.pk for one in compared}
            links += self._linked(compared, title)
        full = "" if self._room >= 0 else "the near-duplicates among these files may be more, they are too many to tell"
        dropped = [link for link in links if link.duplicate.pk in own]
        followed = [link.serves.pk for link in dropped]
        outdone = [link.duplicate.pk for link in links if link.duplicate.pk not in own]
        said = (_followed(self._counted(followed, own), len(own)), _outdone(self._counted(outdone, own)), full)
        return ForeseenDuplicates(
            len(followed), "; ".join(filter(None, said)), self._shown(dropped[:DROPPED_SHOWN], own)
        )

    def _linked(self, batch: Sequence[ComparedChunk], title: str) -> list[Link]:
        """Return the links of a batch, and remember what serves of it."""
        bands = {chunk.pk: bands_of(chunk.words) for chunk in batch}
        meeting, serving = serving_in({band for each in bands.values() for band in each}, self._bands)
        for others in meeting.values():
            others -= bands.keys()  # a chunk is no duplicate of itself, nor of those that are still to be looked at
        met = set().union(*meeting.values()) & self._new.keys()
        for pk in met:
            serving[pk] = replace(self._new[pk], wordings=wordings(self._new[pk].words, RULES.words))
        links = link_batch(batch, bands, meeting, serving)
        for link in links:
            self._new.pop(link.duplicate.pk, None)
        for chunk in batch:
            if chunk.pk in serving and self._meets(chunk.pk, bands[chunk.pk]):
                self._new[chunk.pk], self._titles[chunk.pk] = replace(chunk, wordings=frozenset()), title
        return links

    def _meets(self, pk: UUID, bands: Iterable[int]) -> bool:
        """Remember under which bands a chunk is met, as long as there is room; return whether there was."""
        self._room -= 1
        if self._room >= 0:
            for band in bands:
                self._bands[band].add(pk)
        return self._room >= 0

    def _counted(self, ids: Sequence[UUID], own: set[UUID]) -> Counter[str]:
        """Count chunks by the title of their source, which for a source's own is "itself"."""
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


def _followed(titles: Counter[str], number: int) -> str:
    new, are = _chunks(number, "new chunk"), "is a near-duplicate" if titles.total() == 1 else "are near-duplicates"
    return f"{titles.total()} of {new} {are} of {_listed(titles)} and found only there" if titles else ""


def _outdone(titles: Counter[str]) -> str:
    replaced = f"found in place of {_chunks(titles.total(), 'near-duplicate')} in {_listed(titles)}"
    return f"{replaced}, because this can be played" if titles else ""


def _chunks(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(titles: Counter[str]) -> str:
    """Return the commonest titles, with their numbers where there are several."""
    named = {title: title if title == _ITSELF else f"“{title}”" for title in titles}
    if len(titles) == 1:
        return next(iter(named.values()))
    shown = [f"{named[title]} ({number})" for title, number in titles.most_common(TITLES_SHOWN)]
    others = sum(number for _, number in titles.most_common()[TITLES_SHOWN:])
    return ", ".join([*shown, *([f"others ({others})"] if others else [])])


def _batches(chunks: QuerySet[Chunk], most: int | None = None) -> Iterator[list[Chunk]]:
    every = chunks.defer("search_vector", "cues", "paragraphs").order_by("pk")[:most]
    rows = every.iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        yield batch
