"""Near-duplicates: links each chunk to an earlier one with the same text, by MinHash, in linear time.

Only retrievable chunks carry bands, so each copy of a frequent text is compared once. A chunk becomes retrievable again
as soon as the chunk it duplicates is deleted, withdrawn or replaced, and the next run compares it again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from corpus.domain.duplicates import is_duplicate, likeness, should_replace
from corpus.indexing.minhash import RULES, bands_of, wordings_of
from corpus.models import Chunk, Fingerprint
from lectorium.bulk_copy import rows_copy
from lectorium.only_run import only_run

BATCH = 1000
# Chunks with a band that a chunk is compared with. Texts that differ in a number share all bands and are no duplicates;
# to compare each with all others would take n² steps.
COMPARED_MOST = 50
T = TypeVar("T")
# One index look-up per band. With "bands && array" the planner estimates that each band is in 0.5 % of the rows,
# so that a thousand bands match every row, and scans the table.
_MEETING = f"""
    SELECT band, chunk_id FROM unnest(%s::bigint[]) AS band
    CROSS JOIN LATERAL (
        SELECT chunk_id FROM {Fingerprint._meta.db_table} WHERE bands @> ARRAY[band] LIMIT {COMPARED_MOST}
    ) AS met
"""  # noqa: S608 - the table's name
_LINKING = f"""
    UPDATE {Chunk._meta.db_table} SET duplicate_of_id = serves, served_in = collection, likeness = alike
    FROM unnest(%s::uuid[], %s::uuid[], %s::uuid[], %s::float8[]) AS link (duplicate, serves, collection, alike)
    WHERE id = duplicate
"""  # noqa: S608 - the table's name


@dataclass(frozen=True, slots=True)
class ComparedChunk:
    pk: UUID
    kind: str
    language: str
    collection: UUID
    content_hash: str
    timed: bool
    words: str

    @classmethod
    def of(cls, chunk: Chunk) -> "ComparedChunk":
        return cls(
            chunk.pk, chunk.kind, chunk.language, chunk.collection_id, chunk.content_hash, chunk.start is not None,
            chunk.folded_text,
        )  # fmt: skip

    @property
    def wordings(self) -> frozenset[str]:
        return wordings_of(self.words)


@dataclass(frozen=True, slots=True)
class Link:
    """A duplicate, the chunk that is found instead, and their likeness."""

    duplicate: ComparedChunk
    serves: ComparedChunk
    likeness: float


def duplicates_link() -> int:
    """Compare every chunk that needs it and return how many; 0 while another run works."""
    compared = 0
    with only_run("duplicates") as alone:
        if alone:
            release_orphans()
            while found := sum(
                _pass(timed) for timed in (True, False)
            ):  # chunks replaced by a playable one are compared again
                compared += found
    return compared


def release(chunks: QuerySet[Chunk]) -> int:
    """Make these duplicates retrievable again; return how many."""
    return chunks.update(duplicate_of=None, served_in=None, likeness=None)


def release_orphans() -> None:
    """Release duplicates whose original was deleted without releasing them."""
    linked = Chunk.objects.filter(duplicate_of__isnull=False)
    served = linked.order_by().values_list("duplicate_of", flat=True).distinct()
    for ids in _in_batches(sorted(pk for pk in served if pk)):
        there = Chunk.objects.filter(pk__in=ids, retrievable=True, duplicate_of__isnull=True).order_by()
        gone = set(ids) - set(there.values_list("pk", flat=True))
        if gone:
            release(Chunk.objects.filter(duplicate_of__in=gone))


def uncompared() -> QuerySet[Chunk]:
    """Chunks without a fingerprint of their current text, and released duplicates."""
    known = Fingerprint.objects.filter(chunk=OuterRef("pk"), text_hash=OuterRef("content_hash"))
    return Chunk.objects.filter(
        ~Exists(known) | Q(Exists(known.filter(bands=[])), duplicate_of__isnull=True), retrievable=True
    )


def _pass(timed: bool) -> int:
    """Compare the uncompared chunks with or without times, by id; return how many were stored."""
    stored, last = 0, UUID(int=0)
    chosen = uncompared().filter(start__isnull=not timed).defer("search_vector", "cues", "paragraphs")
    while chunks := list(chosen.filter(pk__gt=last).order_by("pk")[:BATCH]):
        last = chunks[-1].pk
        stored += _compare([ComparedChunk.of(chunk) for chunk in chunks])
    return stored


def _compare(batch: Sequence[ComparedChunk]) -> int:
    """Link the batch's duplicates and store its fingerprints."""
    bands = {chunk.pk: bands_of(chunk.words) for chunk in batch}
    meeting, serving = serving_in({band for each in bands.values() for band in each})
    links = link_batch(batch, bands, meeting, serving)
    return _store(batch, {link.duplicate.pk: link for link in links}, bands)


def link_batch(
    batch: Sequence[ComparedChunk],
    bands: Mapping[UUID, Sequence[int]],
    meeting: defaultdict[int, set[UUID]],
    serving: dict[UUID, ComparedChunk],
) -> list[Link]:
    """A link for each duplicate in the batch, and for each chunk that one of the batch replaces.

    `meeting` and `serving` come from `serving_in`; the batch's retrievable chunks are added to them.
    """
    links = {}
    for chunk in batch:
        likely = {pk for band in bands[chunk.pk] for pk in meeting[band]} - {chunk.pk}
        link = _closest(chunk, (serving[pk] for pk in likely if pk in serving))
        if link and should_replace(chunk.timed, link.serves.timed):
            serving.pop(link.serves.pk)
            link = Link(link.serves, chunk, link.likeness)
        if link:
            links[link.duplicate.pk] = link
        if not link or link.serves is chunk:
            serving[chunk.pk] = chunk
            for band in bands[chunk.pk]:
                if len(meeting[band]) < COMPARED_MOST:
                    meeting[band].add(chunk.pk)
    return list(links.values())


def serving_in(
    bands: set[int], known: Mapping[int, AbstractSet[UUID]] = MappingProxyType({})
) -> tuple[defaultdict[int, set[UUID]], dict[UUID, ComparedChunk]]:
    """The retrievable chunks in these bands, from stored fingerprints and `known`, and their values."""
    meeting = defaultdict(set, {band: set(known[band]) for band in bands & known.keys()})
    with connection.cursor() as cursor:
        for some in _in_batches(sorted(bands)):
            cursor.execute(_MEETING, [list(some)])
            for band, pk in cursor:
                meeting[band].add(pk)
    found = set().union(*meeting.values())
    chunks = Chunk.objects.filter(pk__in=found, retrievable=True).defer("search_vector", "cues", "paragraphs")
    return meeting, {chunk.pk: ComparedChunk.of(chunk) for chunk in chunks.order_by()}


def _closest(one: ComparedChunk, likely: Iterable[ComparedChunk]) -> Link | None:
    """The link to the most similar chunk, if similar enough."""
    links = [
        Link(one, other, likeness(one.wordings, other.wordings))
        for other in likely
        if (one.kind, one.language) == (other.kind, other.language)
    ]
    alike = [link for link in links if is_duplicate(link.likeness, one.words, link.serves.words, RULES)]
    return max(alike, key=lambda link: (link.likeness, link.serves.pk), default=None)


def _store(batch: Sequence[ComparedChunk], links: Mapping[UUID, Link], bands: Mapping[UUID, Sequence[int]]) -> int:
    """Store links and fingerprints, except for chunks an import is changing; return how many were stored."""
    with transaction.atomic():
        wanted = {
            chunk.pk: chunk
            for chunk in (*batch, *(end for link in links.values() for end in (link.duplicate, link.serves)))
        }
        locked = Chunk.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=wanted).order_by("pk")
        now = dict(locked.filter(retrievable=True).values_list("pk", "content_hash"))
        here = {pk for pk, chunk in wanted.items() if now.get(pk) == chunk.content_hash}
        done = [pk for pk in wanted if pk in here and (pk not in links or links[pk].serves.pk in here)]
        outdone = [pk for pk in done if pk in links and pk not in bands]
        release(Chunk.objects.filter(duplicate_of__in=outdone))
        _link([links[pk] for pk in done if pk in links])
        compared = [pk for pk in done if pk in links or pk in bands]
        Fingerprint.objects.filter(chunk__in=compared)._raw_delete("default")
        rows_copy(
            [
                Fingerprint(chunk_id=pk, text_hash=wanted[pk].content_hash, bands=() if pk in links else bands[pk])
                for pk in compared
            ]
        )
    return len(set(done) & {chunk.pk for chunk in batch})


def _link(links: Sequence[Link]) -> None:
    """Store all links in one statement."""
    ends = ([link.duplicate.pk for link in links], [link.serves.pk for link in links])
    with connection.cursor() as cursor:
        cursor.execute(_LINKING, [*ends, [link.serves.collection for link in links], [link.likeness for link in links]])


def _in_batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
