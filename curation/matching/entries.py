"""Entries with their vectors. What readers are answered by is loaded once for each change of an entry."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self
from uuid import UUID

import numpy as np
from django.db.models import Count, DecimalField, F, QuerySet, Sum, Value
from django.db.models.functions import Extract

from corpus.domain.text.sentences import sentence_spans
from corpus.models import EmbeddingSpace
from curation.domain.entry import Entry
from curation.entries import phrasings_of, references_of
from curation.models import Contradiction, Curated, EntryVectors, Fact, MemoryNote, PinnedQuestion, Translation
from lectorium.ladder.read_once import read_once
from lectorium.providers.protocols import Matrix

PUBLISHED = (Curated.State.PUBLISHED,)
INDEXED = (Curated.State.DRAFT, Curated.State.IN_REVIEW, Curated.State.PUBLISHED)


@dataclass(frozen=True, slots=True)
class MatchableEntries:
    """Entries whose vectors are up to date, and the unit vectors of each one's phrasings, (phrasings, width).

    waiting: entries that the index job has not embedded yet, or whose words changed since; they match nothing.
    """

    entries: tuple[Entry, ...] = ()
    vectors: tuple[Matrix, ...] = ()
    waiting: tuple[Entry, ...] = ()

    def where(self, keep: Callable[[Entry], bool]) -> Self:
        kept = [place for place, entry in enumerate(self.entries) if keep(entry)]
        entries = tuple(self.entries[place] for place in kept)
        return replace(self, entries=entries, vectors=tuple(self.vectors[place] for place in kept))

    def with_entry(self, entry: Entry, vectors: Matrix) -> Self:
        return replace(self, entries=(*self.entries, entry), vectors=(*self.vectors, vectors))


@read_once
def curation_version() -> str:
    """A value that changes with every change of a published entry, its vectors or the translations that answers use, a
    fact or a contradiction.
    """
    used = Translation.objects.filter(part__in=(Translation.Part.FRAMING, Translation.Part.NOTE_BODY))
    others = (EntryVectors.objects.all(), used, Fact.objects.all(), Contradiction.objects.all())
    return _marks(*_rows_of(PUBLISHED), *others)


def published_entries(space: EmbeddingSpace) -> MatchableEntries:
    """What readers of the space are answered by."""
    return _published(curation_version(), space.pk, space.width)


@functools.lru_cache(maxsize=4)
def _published(version: str, space: UUID, width: int) -> MatchableEntries:
    """`version` is a cache key only."""
    return with_vectors(entries_in(PUBLISHED), space, width)


def with_vectors(entries: Iterable[Entry], space: UUID, width: int) -> MatchableEntries:
    """The entries with their stored vectors, apart from those that wait for the index job."""
    stored = {row.entry: row for row in EntryVectors.objects.filter(space_id=space)}
    ready, vectors, waiting = [], [], []
    for entry in entries:
        row = stored.get(entry.id)
        if row and row.fingerprint == entry.fingerprint:
            halves = np.frombuffer(bytes(row.vectors), dtype=np.float16).reshape(len(entry.phrasings), width)
            ready.append(entry)
            vectors.append(halves.astype(np.float32))
        else:
            waiting.append(entry)
    return MatchableEntries(tuple(ready), tuple(vectors), tuple(waiting))


def entries_in(states: Sequence[str]) -> Iterator[Entry]:
    """The entries in these states that have something to be matched on."""
    pins, notes = _rows_of(states)
    for row in (*pins.prefetch_related("references", "phrasings"), *notes.prefetch_related("references")):
        if (entry := entry_of(row)).phrasings:
            yield entry


def entry_of(row: Curated) -> Entry:
    """A stored pin or note as matching sees it."""
    if isinstance(row, PinnedQuestion):
        return pin_entry(row, phrasings=phrasings_of(row), references=references_of(row))
    assert isinstance(row, MemoryNote)
    return note_entry(row, references=references_of(row))


def pin_entry(pin: PinnedQuestion, *, phrasings: Sequence[str], references: Sequence[str]) -> Entry:
    """A pin with these lists, which may be unsaved edits."""
    return Entry(
        id=pin.pk,
        kind="pin",
        language=pin.language,
        phrasings=_texts(pin.question, *phrasings),
        references=tuple(references),
        framing=pin.framing,
        collection=pin.collection_id,
        state=pin.state,
    )


def note_entry(note: MemoryNote, *, references: Sequence[str]) -> Entry:
    """A note with these references, which may be unsaved edits."""
    sentences = (note.body[slice(*span)] for span in sentence_spans(note.body))
    return Entry(
        id=note.pk,
        kind="note",
        language=note.language,
        phrasings=_texts(note.title, *note.triggers, *sentences),
        references=tuple(references),
        body=note.body,
        triggers=_texts(*note.triggers),
        state=note.state,
    )


def _texts(*texts: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _rows_of(states: Sequence[str]) -> tuple[QuerySet[PinnedQuestion], QuerySet[MemoryNote]]:
    return PinnedQuestion.objects.filter(state__in=states), MemoryNote.objects.filter(state__in=states)


def _marks(*kinds: QuerySet[Any]) -> str:
    """The count of each kind of row, and the sum of their latest changes. One query.

    A sum, because rows that are committed out of order may leave the latest change as it was.
    """
    changed = Sum(Extract(F("updated_at"), "epoch"), output_field=DecimalField())
    counted = [
        rows.order_by().values(place=Value(place)).annotate(count=Count("pk"), changed=changed)
        for place, rows in enumerate(kinds)
    ]
    found = {row["place"]: row for row in counted[0].union(*counted[1:], all=True)}
    marks = [found.get(place, {"count": 0, "changed": None}) for place in range(len(kinds))]
    return "/".join(f"{mark['count']}@{mark['changed'] or 0:.6f}" for mark in marks)
