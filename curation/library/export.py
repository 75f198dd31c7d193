"""Writes works, pins, notes and facts into one SQLite file that the importer of libraries reads back."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from corpus.domain.addresses.address import label_of, numbers_of
from corpus.domain.scope import Scope
from corpus.importers.library import VERSION
from corpus.importers.verses import NUMBER_LIMIT
from corpus.models import Chunk, Collection, Section, Work
from curation.entries import phrasings_of, references_of
from curation.facts.selectors import stands_within
from curation.facts.tables import COLUMNS
from curation.models import Fact, MemoryNote, PinnedQuestion

SCHEMA = """
CREATE TABLE works (key TEXT PRIMARY KEY, title TEXT NOT NULL, language TEXT, translator TEXT, abbreviation TEXT,
    books TEXT);
CREATE TABLE sections (work TEXT NOT NULL REFERENCES works (key), address TEXT NOT NULL, book TEXT, chapter INTEGER,
    verse INTEGER, heading TEXT, speaker TEXT, text TEXT NOT NULL, original TEXT, source TEXT);
CREATE TABLE pins (id TEXT PRIMARY KEY, question TEXT NOT NULL, phrasings TEXT, framing TEXT, language TEXT,
    collection TEXT, "references" TEXT NOT NULL, state TEXT);
CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, triggers TEXT NOT NULL,
    "references" TEXT, language TEXT, state TEXT);
CREATE TABLE facts (subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL, content TEXT NOT NULL,
    address TEXT NOT NULL, evidence TEXT NOT NULL, kind TEXT, holder TEXT, valid_from TEXT, valid_to TEXT,
    confidence REAL);
"""
BATCH = 500


class ExportRefused(ValueError):
    """The message says what cannot be exported, and what to do."""


@dataclass(frozen=True, slots=True)
class ExportedLibrary:
    """How much a file holds."""

    works: int
    sections: int
    pins: int
    notes: int
    facts: int

    def __str__(self) -> str:
        return f"{self.works} works, {self.sections} sections, {self.pins} pins, {self.notes} notes, {self.facts} facts"


def library_export(path: Path, collections: Iterable[Collection]) -> ExportedLibrary:
    """Write the published works of these collections, the pins for their readers, all notes, and the editors' facts
    in force of these collections.

    The file appears whole or not at all. Raises ExportRefused where two works have one key.
    """
    keys = [collection.pk for collection in collections]
    with TemporaryDirectory(dir=path.parent, prefix=".library-") as folder:
        unfinished = Path(folder) / "library.db"
        with closing(sqlite3.connect(unfinished)) as database:
            exported = _fill(database, keys)
        unfinished.replace(path)
    return exported


def _fill(database: sqlite3.Connection, collections: list[UUID]) -> ExportedLibrary:
    works = Work.objects.filter(collection__in=collections, state=Work.State.PUBLISHED).order_by("key")
    pins = PinnedQuestion.objects.filter(Q(collection__in=collections) | Q(collection=None))
    with database:
        database.executescript(SCHEMA)
        database.execute(f"PRAGMA user_version = {VERSION:d}")
        counts = [_insert(database, "works", _works(works)), _insert(database, "sections", _sections(works))]
        counts.append(_insert(database, "pins", _pins(pins)))
        counts.append(_insert(database, "notes", _notes(MemoryNote.objects.all())))
        counts.append(_insert(database, "facts", _facts(collections)))
    return ExportedLibrary(*counts)


def _insert(database: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> int:
    width = len(database.execute(f"SELECT * FROM {table}").description)  # noqa: S608 - names of ours
    filled = f"INSERT INTO {table} VALUES ({', '.join('?' * width)})"  # noqa: S608
    return database.executemany(filled, rows).rowcount


def _works(works: QuerySet[Work]) -> Iterator[tuple[Any, ...]]:
    seen: set[str] = set()
    for work in works:
        if work.key in seen:
            said = gettext("Two works have the key “{key}”. Export each collection into a file of its own.")
            raise ExportRefused(said.format(key=work.key))
        seen.add(work.key)
        facts = (work.key, work.title, work.language, work.translator, work.abbreviation)
        yield (*facts, _json(work.books))


def _sections(works: QuerySet[Work]) -> Iterator[tuple[Any, ...]]:
    for work in works.only("key"):
        prose = set(work.chunks.filter(kind=Chunk.Kind.LIBRARY).values_list("address", flat=True))
        for section in work.sections.order_by("ordinal").iterator(BATCH):
            chapter, verse = (None, None) if section.address in prose else _place(section)
            words = (section.heading, section.speaker, section.text, section.original, section.source_text or None)
            yield (work.key, section.address, label_of(section.address), chapter, verse, *words)


def _place(section: Section) -> tuple[int, int]:
    """The last two numbers of an address; 0 for what it does not have. The importer takes them as counts only."""
    chapter, verse = (min(number, NUMBER_LIMIT) for number in (0, 0, *numbers_of(section.address))[-2:])
    return chapter, verse


def _pins(pins: QuerySet[PinnedQuestion]) -> Iterator[tuple[Any, ...]]:
    listed = pins.select_related("collection").prefetch_related("phrasings", "references").order_by("created_at", "pk")
    for pin in listed:
        collection = pin.collection.key if pin.collection else None
        yield (
            str(pin.pk), pin.question, _json(phrasings_of(pin)), pin.framing, pin.language, collection,
            _json(references_of(pin)), pin.state,
        )  # fmt: skip


def _notes(notes: QuerySet[MemoryNote]) -> Iterator[tuple[Any, ...]]:
    for note in notes.prefetch_related("references").order_by("created_at", "pk"):
        lists = _json(note.triggers), _json(references_of(note))
        yield (str(note.pk), note.title, note.body, *lists, note.language, note.state)


def _facts(collections: list[UUID]) -> Iterator[tuple[Any, ...]]:
    """What editors wrote; facts that were read are read again."""
    here = stands_within(Scope(tuple(collections)))
    rows = Fact.objects.filter(here, author="", superseded_by=None).order_by("created_at", "pk")
    for row in rows.values_list(*COLUMNS):
        yield tuple(str(value) if isinstance(value, date) else value for value in row)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
