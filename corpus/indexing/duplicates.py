"""Near-duplicates: each chunk is linked to an earlier one that says the same, by MinHash in time linear in the corpus.

Only the chunks that serve carry bands, so a text that occurs a thousand times is compared once each time, not a
thousand times. A chunk whose serving chunk is deleted, withdrawn or outdone serves again at once, and is compared
anew by the next run.
"""

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TypeVar
from uuid import UUID

from datasketch import MinHash
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from corpus.domain.duplicates import DuplicateRules, is_duplicate, likeness, serves_rather, wordings
from corpus.models import Chunk, Fingerprint
from lectorium.bulk_copy import rows_copy

PERMUTATIONS = 64
ROWS = 8  # of the permutations to a band: two texts of likeness 0.9 share a band in 99 of 100 cases, of 0.5 in 3
BATCH = 1000
RULES = DuplicateRules()
T = TypeVar("T")
_EMPTY = MinHash(num_perm=PERMUTATIONS)
# A look-up in the index for each band. Asked for all at once (bands && …), the planner takes each to be in one row of
# 200, so a thousand to be in every row, and reads the table.
_MEETING = f"""
    SELECT band, chunk_id FROM unnest(%s::bigint[]) AS band
    JOIN {Fingerprint._meta.db_table} ON bands @> ARRAY[band]
"""  # noqa: S608 - the table's name
_LINKING = f"""
    UPDATE {Chunk._meta.db_table} SET duplicate_of_id = serves, served_in = collection, likeness = alike
    FROM unnest(%s::uuid[], %s::uuid[], %s::uuid[], %s::float8[]) AS link (duplicate, serves, collection, alike)
    WHERE id = duplicate
"""  # noqa: S608 - the table's name


@dataclass(frozen=True, slots=True)
class ComparedChunk:
    """A chunk as it is compared."""

    pk: UUID
    kind: str
    language: str
    collection: UUID
    content_hash: str
    timed: bool
    words: str
    wordings: frozenset[str]

    @classmethod
    def of(cls, chunk: Chunk) -> "ComparedChunk":
        return cls(
            chunk.pk, chunk.kind, chunk.language, chunk.collection_id, chunk.content_hash, chunk.start is not None,
            chunk.folded_text, wordings(chunk.folded_text, RULES.words),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    """A duplicate, the chunk that serves in its place, and how like they are."""

    duplicate: ComparedChunk
    serves: ComparedChunk
    likeness: float


def duplicates_link() -> int:
    """Compare every chunk that was not, or that serves again; return how many. 0 while another run is at it."""
    compared = 0
    with _only_run() as alone:
        if alone:
            release_orphans()
            while found := sum(_pass(timed) for timed in (True, False)):  # what a better chunk outdid comes round again
                compared += found
    return compared


def release(chunks: QuerySet[Chunk]) -> int:
    """Let these duplicates serve again; return how many."""
    return chunks.update(duplicate_of=None, served_in=None, likeness=None)


def release_orphans() -> None:
    """Let duplicates serve again whose serving chunk went without telling."""
    linked = Chunk.objects.filter(duplicate_of__isnull=False)
    served = linked.order_by().values_list("duplicate_of", flat=True).distinct()
    for ids in _in_batches(sorted(pk for pk in served if pk)):
        there = Chunk.objects.filter(pk__in=ids, retrievable=True, duplicate_of__isnull=True).order_by()
        gone = set(ids) - set(there.values_list("pk", flat=True))
        if gone:
            release(Chunk.objects.filter(duplicate_of__in=gone))


def uncompared() -> QuerySet[Chunk]:
    """Return the chunks without a fingerprint of their present text, and the duplicates that serve again."""
    known = Fingerprint.objects.filter(chunk=OuterRef("pk"), text_hash=OuterRef("content_hash"))
    return Chunk.objects.filter(
        ~Exists(known) | Q(Exists(known.filter(bands=[])), duplicate_of__isnull=True), retrievable=True
    )


@lru_cache(maxsize=4096)  # in speech, one text in three is an "Okay" or the like
def bands_of(folded: str) -> tuple[int, ...]:
    """Return the keys under which folded texts that are alike meet: one of 64 bits a band."""
    sketch = _EMPTY.copy()
    sketch.update_batch([wording.encode() for wording in wordings(folded, RULES.words)])
    rows = sketch.hashvalues.reshape(-1, ROWS)
    digests = (hashlib.blake2b(bytes([band]) + row.tobytes(), digest_size=8).digest() for band, row in enumerate(rows))
    return tuple(int.from_bytes(digest, "big", signed=True) for digest in digests)


def _pass(timed: bool) -> int:
    """Compare every uncompared chunk with, or without, times, in the order of ids; return how many were stored."""
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
    """Return a link for each duplicate of the batch, or of the serving chunks that one of the batch outdoes.

    meeting and serving are those of `serving_in`; afterwards they hold the batch's serving chunks too.
    """
    links = {}
    for chunk in batch:
        likely = {pk for band in bands[chunk.pk] for pk in meeting[band]} - {chunk.pk}
        link = _closest(chunk, (serving[pk] for pk in likely if pk in serving))
        if link and serves_rather(chunk.timed, link.serves.timed):
            serving.pop(link.serves.pk)
            link = Link(link.serves, chunk, link.likeness)
        if link:
            links[link.duplicate.pk] = link
        if not link or link.serves is chunk:
            serving[chunk.pk] = chunk
            for band in bands[chunk.pk]:
                meeting[band].add(chunk.pk)
    return list(links.values())


def serving_in(
    bands: set[int], known: Mapping[int, AbstractSet[UUID]] = MappingProxyType({})
) -> tuple[defaultdict[int, set[UUID]], dict[UUID, ComparedChunk]]:
    """Return which serving chunks meet in these bands, by their fingerprints and as is `known`; and those chunks."""
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
    """Return the link to the serving chunk that is most like this one, if it is like enough."""
    links = [
        Link(one, other, likeness(one.wordings, other.wordings))
        for other in likely
        if (one.kind, one.language) == (other.kind, other.language)
    ]
    alike = [link for link in links if is_duplicate(link.likeness, one.words, link.serves.words, RULES)]
    return max(alike, key=lambda link: (link.likeness, link.serves.pk), default=None)


def _store(batch: Sequence[ComparedChunk], links: Mapping[UUID, Link], bands: Mapping[UUID, Sequence[int]]) -> int:
    """Write links and fingerprints, save those of chunks that an import is changing; return how many were stored."""
    with transaction.atomic():
        wanted = {
            one.pk: one for one in (*batch, *(end for link in links.values() for end in (link.duplicate, link.serves)))
        }
        locked = Chunk.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=wanted).order_by("pk")
        now = dict(locked.filter(retrievable=True).values_list("pk", "content_hash"))
        here = {pk for pk, one in wanted.items() if now.get(pk) == one.content_hash}
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
    """Write links in one statement, however many they are."""
    ends = ([link.duplicate.pk for link in links], [link.serves.pk for link in links])
    with connection.cursor() as cursor:
        cursor.execute(_LINKING, [*ends, [link.serves.collection for link in links], [link.likeness for link in links]])


def _in_batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]


@contextmanager
def _only_run() -> Iterator[bool]:
    """Hold the lock that keeps a second run from doing the same work; yields whether it is ours."""
    key = zlib.crc32(b"lectorium duplicates")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        (ours,) = cursor.fetchone()
    try:
        yield ours
    finally:
        if ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])
