"""Read access to the corpus for other packages."""

import functools
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from corpus.domain.addresses.address import address_key
from corpus.domain.passage import Cue, Paragraph, Passage
from corpus.domain.scope import Scope
from corpus.models import (
    AddressScheme,
    Chunk,
    ChunkVector,
    Collection,
    EmbeddingSpace,
    GlossaryEntry,
    IndexRun,
    Lecture,
)
from lectorium.ladder.read_once import read_once
from lectorium.providers import registry
from lectorium.providers.protocols import Embedder

ANYWHERE = Scope()
TITLES_READ = 1000
_HEAVY = (
    "lecture__text", "lecture__cues", "work__books", "context", "situation", "folded_text", "folded_heading",
    "folded_address", "folded_context", "search_vector",
)  # fmt: skip


def passages(chunk_ids: Sequence[UUID]) -> list[Passage]:
    """The retrievable chunks as passages, in the order of the ids. One query."""
    chunks = Chunk.objects.filter(pk__in=chunk_ids, retrievable=True).select_related("lecture", "work").defer(*_HEAVY)
    found = {chunk.pk: _passage(chunk) for chunk in chunks}
    return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]


def standing_at(keys: Sequence[str], scope: Scope, most: int) -> list[tuple[UUID, list[str]]]:
    """(id, folded addresses) of at most `most` chunks in the scope at these folded addresses, in source order.

    Includes duplicates, since each has its own address.
    """
    chunks = Chunk.objects.within(scope, duplicates=True).at_address(keys).order_by("ordinal", "pk")
    return list(chunks.values_list("pk", "address_keys")[:most])


def passages_at(address: str, scope: Scope = ANYWHERE) -> list[Passage]:
    """The passages at an address within the scope, including duplicates, in source order."""
    chunks = Chunk.objects.within(scope, duplicates=True).at_address([address_key(address)])
    return [_passage(chunk) for chunk in chunks.select_related("lecture", "work").defer(*_HEAVY)]


def passages_by_key(keys: Sequence[str], scope: Scope = ANYWHERE) -> dict[str, Passage]:
    """The first passage at each of these folded addresses, where there is one in the scope. One query."""
    wanted, found = set(keys), dict[str, Passage]()
    chunks = Chunk.objects.within(scope, duplicates=True).at_address(keys).order_by("ordinal", "pk")
    for chunk in chunks.select_related("lecture", "work").defer(*_HEAVY):
        for key in wanted.intersection(chunk.address_keys):
            found.setdefault(key, _passage(chunk))
    return found


def passages_near(chunk_ids: Sequence[UUID], most: int, reach: int) -> list[Passage]:
    """Up to `most` passages in the same sources, at most `reach` before or after one of these."""
    beside = Q()
    for chunk in Chunk.objects.filter(pk__in=chunk_ids).only("lecture_id", "work_id", "ordinal"):
        source = Q(lecture=chunk.lecture_id, work=chunk.work_id)
        beside |= source & Q(ordinal__range=(chunk.ordinal - reach, chunk.ordinal + reach))
    if not beside:
        return []
    near = Chunk.objects.filter(beside, retrievable=True).exclude(pk__in=chunk_ids).order_by("ordinal", "pk")
    return passages(list(near.values_list("pk", flat=True)[:most]))


def collection_titles(chunk_ids: Sequence[UUID]) -> dict[UUID, str]:
    """{chunk id: title of its collection}"""
    return dict(Chunk.objects.filter(pk__in=chunk_ids).values_list("pk", "collection__title"))


@read_once
def serving_space() -> EmbeddingSpace | None:
    """The embedding space used for questions; None before the first index run."""
    return EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.SERVING).first()


def space_progress(space: EmbeddingSpace) -> tuple[int, int]:
    """(chunks with a current vector, all chunks). Reads every chunk's key: a second per million."""
    chunks = Chunk.objects.order_by()
    return chunks.filter(Exists(current_vector(space))).count(), chunks.count()


def current_vector(space: EmbeddingSpace) -> QuerySet[ChunkVector]:
    """A subquery for a chunk's current vector, if its sentences have vectors too."""
    return ChunkVector.objects.filter(
        chunk_id=OuterRef("pk"),
        space_id=space.pk,
        collection_id=OuterRef("collection_id"),
        embedded_hash=OuterRef("embedded_hash"),
        sentences__isnull=False,
    )


def space_runs(space: EmbeddingSpace) -> tuple[IndexRun | None, list[IndexRun]]:
    """The newest run of a space, and the runs that failed or were killed since it was last complete."""
    runs = IndexRun.objects.filter(space=space)
    ended_badly = runs.exclude(error="", finished_at__isnull=False)
    if space.indexed_at:
        ended_badly = ended_badly.filter(seen_at__gt=space.indexed_at)
    return runs.first(), [run for run in ended_badly if run.outcome in ("failed", "killed")]


class SpaceRefused(ValueError):
    """The space cannot do this in its state; the message says what to do first."""


def space_named(name: str) -> EmbeddingSpace:
    """The space named "model" or "model:dtype". Raises SpaceRefused where none or several match."""
    spaces = list(EmbeddingSpace.objects.order_by("created_at"))
    found = [space for space in spaces if name in (str(space), space.model)]
    if len(found) == 1:
        return found[0]
    problem = "matches several spaces" if found else "is not an embedding space"
    raise SpaceRefused(
        f"{name!r} {problem}; there are: {', '.join(map(str, spaces)) or 'none yet, run manage.py index'}."
    )


def space_embedder(space: EmbeddingSpace | None) -> Embedder:
    """The space's model, or the configured one without a space."""
    return registry.embedder(space.model if space else "")


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """The size of the corpus, and when the index was last complete (None: never)."""

    lectures: int
    verses: int
    library_passages: int
    indexed_at: datetime | None


def corpus_size(collections: Sequence[UUID] | None = None) -> CorpusSize:
    """The size of these collections, or of all when None. Cached per corpus version."""
    chosen = None if collections is None else tuple(collections)
    space = serving_space()
    return CorpusSize(*_counts(corpus_version(), chosen), indexed_at=space.indexed_at if space else None)


def languages_of(collections: Sequence[UUID] | None = None) -> frozenset[str]:
    """Languages of the retrievable texts in these collections, or in all when None. Cached per corpus version."""
    return _languages(corpus_version(), None if collections is None else tuple(collections))


@functools.lru_cache(maxsize=256)
def _languages(version: str, collections: tuple[UUID, ...] | None) -> frozenset[str]:
    """`version` is a cache key only."""
    chunks = Chunk.objects.filter(retrievable=True)
    found = chunks if collections is None else chunks.in_collections(collections)
    return frozenset(
        language.partition("-")[0] for language in found.order_by().values_list("language", flat=True).distinct()
    )


def lecture_titles(collections: Sequence[UUID] | None, most: int) -> list[str]:
    """Up to `most` titles of published lectures in these collections, or in all when None, spread over the list."""
    lectures = Lecture.objects.filter(state=Lecture.State.PUBLISHED)
    if collections is not None:
        lectures = lectures.filter(collection_id__in=collections)
    titles = list(lectures.order_by("title", "pk").values_list("title", flat=True)[:TITLES_READ])
    return titles[:: max(1, len(titles) // most)][:most]


@functools.lru_cache(maxsize=256)
def _counts(version: str, collections: tuple[UUID, ...] | None) -> tuple[int, int, int]:
    """(lectures, verses, library passages). `version` is a cache key only."""
    lectures = Lecture.objects.filter(state=Lecture.State.PUBLISHED)
    chunks = Chunk.objects.filter(retrievable=True)
    if collections is not None:
        lectures = lectures.filter(collection_id__in=collections)
        chunks = chunks.in_collections(collections)
    by_kind = dict(chunks.order_by().values_list("kind").annotate(Count("pk")))
    return lectures.count(), by_kind.get(Chunk.Kind.VERSE, 0), by_kind.get(Chunk.Kind.LIBRARY, 0)


@read_once
def corpus_version() -> str:
    """A hash that changes with every import or edit of the corpus; "" for an empty corpus.

    It covers every collection's time of change, because the latest alone would miss a change by a host whose clock is
    slow.
    """
    changes = [f"{pk} {at.isoformat()}" for pk, at in Collection.objects.order_by("pk").values_list("pk", "changed_at")]
    return hashlib.sha256("\n".join(changes).encode()).hexdigest()[:16] if changes else ""


@read_once
def words_version() -> str:
    """A value that changes with every edit of an address scheme or the glossary."""
    parts = []
    for model in (AddressScheme, GlossaryEntry):
        state = model.objects.aggregate(count=Count("pk"), latest=Max("changed_at"))
        parts.append(f"{state['count']}@{state['latest'].isoformat() if state['latest'] else ''}")
    return " ".join(parts)


def content_hashes(chunk_ids: Iterable[UUID]) -> dict[UUID, str]:
    """{chunk id: content hash} of the retrievable chunks."""
    return dict(Chunk.objects.filter(pk__in=set(chunk_ids), retrievable=True).values_list("pk", "content_hash"))


def _passage(chunk: Chunk) -> Passage:
    lecture = chunk.lecture
    source = lecture or chunk.work
    assert source is not None, "a chunk has a lecture or a work"
    return Passage(
        chunk_id=chunk.pk,
        source_id=source.pk,
        kind=chunk.kind,
        address=chunk.address,
        title=source.title,
        text=chunk.text,
        content_hash=chunk.content_hash,
        ordinal=chunk.ordinal,
        language=chunk.language,
        speaker=chunk.speaker or (lecture.speaker if lecture else ""),
        date=lecture.date.isoformat() if lecture and lecture.date else "",
        place=lecture.place if lecture else "",
        paragraphs=tuple(Paragraph(*row) for row in chunk.paragraphs),
        cues=tuple(Cue(*row) for row in chunk.cues),
        media=bool(lecture and lecture.has_recording),
        recording_s=lecture.media_seconds if lecture else None,
        imported_s=source.imported_at.timestamp(),
    )


def corpus_fingerprint() -> str:
    """The corpus in words with a hash over all chunks, for published figures."""
    hashes = Chunk.objects.order_by("content_hash").values_list("content_hash", flat=True)
    digest = hashlib.sha256("".join(hashes.iterator(chunk_size=10_000)).encode()).hexdigest()[:16]
    size = corpus_size()
    return f"{size.lectures:,} lectures and {size.verses:,} verses in {hashes.count():,} chunks (sha256 {digest})"
