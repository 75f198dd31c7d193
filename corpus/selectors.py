"""What the rest of the product asks of the corpus."""

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max

from corpus.domain.passage import Cue, Paragraph, Passage
from corpus.models import AddressScheme, Chunk, Collection, EmbeddingSpace, GlossaryEntry, Lecture

_HEAVY = (
    "lecture__text", "lecture__cues", "work__books", "context", "folded_text", "folded_heading", "folded_address",
    "folded_context", "search_vector",
)  # fmt: skip


def passages(chunk_ids: Sequence[UUID]) -> list[Passage]:
    """Return the chunks as passages, in the order of the ids; ids that no longer exist are left out. One query."""
    chunks = Chunk.objects.filter(pk__in=chunk_ids).select_related("lecture", "work").defer(*_HEAVY)
    found = {chunk.pk: _passage(chunk) for chunk in chunks}
    return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]


def serving_space() -> EmbeddingSpace | None:
    """Return the embedding space that answers questions, None before the first index run."""
    return EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.SERVING).first()


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """How much there is to search: counts, and when the index was last brought up to date (None: never)."""

    lectures: int
    verses: int
    library_passages: int
    indexed_at: datetime | None


def corpus_size(collections: Sequence[UUID] | None = None) -> CorpusSize:
    """Return the size of the given collections, of all where None. Counted once a corpus version."""
    chosen = None if collections is None else tuple(collections)
    space = serving_space()
    return CorpusSize(*_counts(corpus_version(), chosen), indexed_at=space.indexed_at if space else None)


@functools.lru_cache(maxsize=256)
def _counts(version: str, collections: tuple[UUID, ...] | None) -> tuple[int, int, int]:
    """Return lectures, verses and library passages. `version` only tells one state of the corpus from the next."""
    lectures = Lecture.objects.all()
    chunks = Chunk.objects.all()
    if collections is not None:
        lectures = lectures.filter(collection_id__in=collections)
        chunks = chunks.in_collections(collections)
    by_kind = dict(chunks.order_by().values_list("kind").annotate(Count("pk")))
    return lectures.count(), by_kind.get(Chunk.Kind.VERSE, 0), by_kind.get(Chunk.Kind.LIBRARY, 0)


def corpus_version() -> str:
    """Return what changes when an import changes the corpus; "" while there is none."""
    changed = Collection.objects.aggregate(latest=Max("changed_at"))["latest"]
    return changed.isoformat() if changed else ""


def words_version() -> str:
    """Return what changes when an editor changes a scheme or the glossary."""
    parts = []
    for model in (AddressScheme, GlossaryEntry):
        state = model.objects.aggregate(count=Count("pk"), latest=Max("changed_at"))
        parts.append(f"{state['count']}@{state['latest'].isoformat() if state['latest'] else ''}")
    return " ".join(parts)


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
        media=bool(lecture and lecture.media),
    )


def corpus_fingerprint() -> str:
    """Return the corpus in words with a hash of every chunk, for published figures."""
    hashes = Chunk.objects.order_by("content_hash").values_list("content_hash", flat=True)
    digest = hashlib.sha256("".join(hashes.iterator(chunk_size=10_000)).encode()).hexdigest()[:16]
    size = corpus_size()
    return f"{size.lectures:,} lectures and {size.verses:,} verses in {hashes.count():,} chunks (sha256 {digest})"
