"""Writing a source's sections and chunks so that what has not changed keeps its id."""

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TypeVar

from corpus.domain.embedded import content_hash, embedded_hash
from corpus.domain.text.folding import fold
from corpus.domain.text.traced import TracedPiece
from corpus.models import Chunk, Lecture, Section, Work
from lectorium.bulk_copy import rows_copy

Row = TypeVar("Row", Section, Chunk)
Place = tuple[object, ...]  # the values of _PLACE_FIELDS

BATCH = 1000
_folded = lru_cache(maxsize=64)(fold)  # one heading and one line of context stand over many chunks of a source
SITUATED_FIELDS = ("situation", "situated_by", "folded_context", "embedded_hash")
_SECTION_FIELDS = [
    "address", "address_key", "heading", "speaker", "text", "original", "char_start", "char_end", "start", "end",
    "source_text", "origins",
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


def origin_rows(origins: Iterable[TracedPiece]) -> list[list[int]]:
    """Return the pieces of a text as they are stored."""
    return [[piece.start, piece.end, piece.source_start, piece.source_end] for piece in origins]


def sections_replace(source: Lecture | Work, sections: Sequence[Section], *, is_new: bool) -> None:
    """Store a source's sections, whose id follows from their ordinal; those past the last one go."""
    for section in sections:
        section.id = uuid.uuid5(source.pk, f"section {section.ordinal}")
    _write(sections, _SECTION_FIELDS, is_new=is_new)
    if not is_new:
        source.sections.filter(ordinal__gte=len(sections)).delete()


def chunks_replace(source: Lecture | Work, chunks: Iterable[Chunk], *, is_new: bool) -> int:
    """Store a source's chunks and return how many it has. A chunk's id follows from its content.

    So a chunk whose content is unchanged keeps its id, its vectors and the sentence that situates it wherever it moves,
    and vanished chunks are deleted with theirs.
    """
    stored, sentences = ({}, {}) if is_new else _stored(source)
    kept: set[uuid.UUID] = set()
    identified = _identified(source, chunks, sentences)
    while batch := list(islice(identified, BATCH)):
        kept |= {chunk.id for chunk in batch}
        moved = [chunk for chunk in batch if stored.get(chunk.id) != tuple(getattr(chunk, f) for f in _PLACE_FIELDS)]
        _write(moved, _CHUNK_FIELDS, is_new=is_new)
    vanished = list(stored.keys() - kept)
    for start in range(0, len(vanished), BATCH):
        Chunk.objects.filter(pk__in=vanished[start : start + BATCH]).delete()
    return len(kept)


def _stored(source: Lecture | Work) -> tuple[dict[uuid.UUID, Place], dict[uuid.UUID, tuple[str, str]]]:
    """Return where each of a source's chunks stands, and the sentences that situate them."""
    places = source.chunks.values_list("id", *_PLACE_FIELDS)
    sentences = source.chunks.exclude(situation="").values_list("id", "situation", "situated_by")
    return {row[0]: row[1:] for row in places}, {row[0]: row[1:] for row in sentences}


def _write(rows: Sequence[Row], updated: Sequence[str], *, is_new: bool) -> None:
    """Store rows of one table: those of a new source by COPY, others over their earlier selves."""
    if is_new:
        rows_copy(rows)
    elif rows:
        type(rows[0])._default_manager.bulk_create(
            rows, batch_size=BATCH, update_conflicts=True, unique_fields=["id"], update_fields=updated
        )


def situate(chunk: Chunk, sentence: str, by: str) -> None:
    """Give a chunk that is yet to be saved a model's sentence, or none, and what follows from it: SITUATED_FIELDS."""
    chunk.situation, chunk.situated_by = sentence, by
    chunk.folded_context = _folded(f"{chunk.context} {sentence}")
    chunk.embedded_hash = embedded_hash(chunk.text, sentence)


def _identified(
    source: Lecture | Work, chunks: Iterable[Chunk], sentences: Mapping[uuid.UUID, tuple[str, str]]
) -> Iterator[Chunk]:
    """Yield the chunks with ordinal, folded text, hashes, visibility and id filled in."""
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
