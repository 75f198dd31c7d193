"""Stores a source's sections and chunks so that unchanged ones keep their ids; small new sources several together."""

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TypeVar

from django.conf import settings

from corpus.domain.embedded import content_hash, embedded_hash
from corpus.domain.text.folding import fold
from corpus.importers.refusal import ImportRefused
from corpus.models import Chunk, Lecture, Section, Work
from lectorium.bulk_copy import rows_copy

Row = TypeVar("Row", Section, Chunk)
Place = tuple[object, ...]  # values of _PLACE_FIELDS

BATCH = 1000
_folded = lru_cache(maxsize=64)(fold)  # many chunks of a source share a heading and context line
SITUATED_FIELDS = ("situation", "situated_by", "folded_context", "embedded_hash")
LABEL_FIELDS = ("heading", "speaker", "context", "folded_heading", "folded_context")
_SECTION_FIELDS = [
    "address", "address_key", "heading", "speaker", "text", "original", "char_start", "char_end", "start", "end",
    "source_text",
]  # fmt: skip
_PLACE_FIELDS = [
    "ordinal", "collection_id", "language", "heading", "char_start", "char_end", "start", "end", "cues", "paragraphs",
    "speaker", "context", "situation", "situated_by", "embedded_hash", "retrievable",
]  # fmt: skip
_CHUNK_FIELDS = [
    "ordinal", "collection", "language", "heading", "char_start", "char_end", "start", "end", "cues", "paragraphs",
    "address_keys", "tokens", "speaker", "context", "retrievable", "folded_heading", "folded_address", "folded_text",
    *SITUATED_FIELDS,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source that is not stored yet, with its parts in order."""

    source: Lecture | Work
    sections: list[Section]
    chunks: list[Chunk]

    @classmethod
    def of(cls, source: Lecture | Work, sections: Iterable[Section], chunks: Iterable[Chunk]) -> "NewSource":
        """Fill in what follows from the order of its parts. Raises ImportRefused for a source of too many chunks."""
        identified = list(_identified(source, chunks, {}))
        _check_chunks(len(identified))
        return cls(source, [_with_id(source, section) for section in sections], identified)


def sources_insert(sources: Sequence[NewSource]) -> None:
    """Store small new sources with a statement for each table, not for each source; call it in a transaction."""
    for model in (Lecture, Work):
        rows_copy([new.source for new in sources if isinstance(new.source, model)])
    rows_copy([section for new in sources for section in new.sections])
    rows_copy([chunk for new in sources for chunk in new.chunks])


def sections_replace(source: Lecture | Work, sections: Iterable[Section], *, is_new: bool) -> None:
    """Store a source's sections, with ids derived from ordinals; delete surplus ones."""
    stored, remaining = 0, iter(sections)
    while batch := list(islice(remaining, BATCH)):
        _write([_with_id(source, section) for section in batch], _SECTION_FIELDS, is_new=is_new)
        stored += len(batch)
    if not is_new:
        source.sections.filter(ordinal__gte=stored).delete()


def chunks_replace(source: Lecture | Work, chunks: Iterable[Chunk], *, is_new: bool) -> int:
    """Store a source's chunks and return how many it has. Ids are derived from content.

    An unchanged chunk keeps its id, vectors and model's sentence even if it moves. Chunks that vanished are deleted.
    Raises ImportRefused for a source of too many; the caller's transaction takes back what was stored.
    """
    stored, sentences = ({}, {}) if is_new else _stored(source)
    kept: set[uuid.UUID] = set()
    identified = _identified(source, chunks, sentences)
    while batch := list(islice(identified, BATCH)):
        kept |= {chunk.id for chunk in batch}
        _check_chunks(len(kept))
        moved = [chunk for chunk in batch if stored.get(chunk.id) != tuple(getattr(chunk, f) for f in _PLACE_FIELDS)]
        _write(moved, _CHUNK_FIELDS, is_new=is_new)
    vanished = list(stored.keys() - kept)
    for start in range(0, len(vanished), BATCH):
        Chunk.objects.filter(pk__in=vanished[start : start + BATCH]).delete()
    return len(kept)


def _with_id(source: Lecture | Work, section: Section) -> Section:
    section.id = uuid.uuid5(source.pk, f"section {section.ordinal}")
    return section


def _check_chunks(number: int) -> None:
    if number > settings.SOURCE_CHUNKS:
        raise ImportRefused(
            f"makes more than {settings.SOURCE_CHUNKS:,} chunks in one source (LECTORIUM_SOURCE_CHUNKS); split it"
        )


def _stored(source: Lecture | Work) -> tuple[dict[uuid.UUID, Place], dict[uuid.UUID, tuple[str, str]]]:
    """A source's chunks as {id: place}, and {id: (sentence, author)} of those situated by a model."""
    places = source.chunks.values_list("id", *_PLACE_FIELDS)
    sentences = source.chunks.exclude(situation="").values_list("id", "situation", "situated_by")
    return {row[0]: row[1:] for row in places}, {row[0]: row[1:] for row in sentences}


def _write(rows: Sequence[Row], updated: Sequence[str], *, is_new: bool) -> None:
    """Insert rows of a new source by COPY; upsert others."""
    if is_new:
        rows_copy(rows)
    elif rows:
        type(rows[0])._default_manager.bulk_create(
            rows, batch_size=BATCH, update_conflicts=True, unique_fields=["id"], update_fields=updated
        )


def situate(chunk: Chunk, sentence: str, by: str) -> None:
    """Set a model's sentence, or none, on an unsaved chunk, with the fields that depend on it."""
    chunk.situation, chunk.situated_by = sentence, by
    chunk.folded_context = _folded(f"{chunk.context} {sentence}")
    chunk.embedded_hash = embedded_hash(chunk.text, sentence)


def relabel(chunk: Chunk, labels: Mapping[str, str]) -> None:
    """Set the fields of a stored chunk that follow from its source; its text, id and vectors stay."""
    for name, value in labels.items():
        setattr(chunk, name, value)
    chunk.folded_heading = _folded(chunk.heading)
    situate(chunk, chunk.situation, chunk.situated_by)


def situations_store(*, sentences: Mapping[uuid.UUID, tuple[str, str]]) -> int:
    """Store {chunk id: (sentence, author)} and return how many; call it in a transaction.

    Skips chunks that already have a sentence or that an import is changing.
    """
    chunks = Chunk.objects.select_for_update(no_key=True, skip_locked=True).filter(pk__in=sentences, situation="")
    stored = 0
    for chunk in chunks.order_by().only("text", "context"):
        situate(chunk, *sentences[chunk.pk])
        values = {field: getattr(chunk, field) for field in SITUATED_FIELDS}
        stored += Chunk.objects.filter(pk=chunk.pk).update(**values)
    return stored


def _identified(
    source: Lecture | Work, chunks: Iterable[Chunk], sentences: Mapping[uuid.UUID, tuple[str, str]]
) -> Iterator[Chunk]:
    """The chunks with ordinal, folded text, hashes, visibility and id filled in."""
    seen: Counter[str] = Counter()
    for ordinal, chunk in enumerate(chunks):
        chunk.ordinal = ordinal
        chunk.folded_heading, chunk.folded_address = _folded(chunk.heading), fold(chunk.address)
        chunk.folded_text = fold(chunk.text)
        chunk.content_hash = content_hash(chunk.kind, chunk.address, chunk.text)
        chunk.retrievable = source.state == source.State.PUBLISHED
        chunk.id = uuid.uuid5(source.pk, f"{chunk.content_hash} {seen[chunk.content_hash]}")
        sentence, by = sentences.get(chunk.id, ("", ""))
        situate(chunk, sentence, by)
        seen[chunk.content_hash] += 1
        yield chunk
