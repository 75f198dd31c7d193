"""The output of importers: sources as values, checked and cleaned, not yet stored."""

import datetime
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus.domain.cues import Sound
from corpus.domain.transcript import SourceParagraph

from .limits import SourceSize
from .refusal import ImportRefused

STATES = ("draft", "in_review", "published", "withdrawn")  # of pins and notes
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
KEY_MAX, TITLE_MAX, NAME_MAX, LANGUAGE_MAX = 200, 500, 200, 12  # as in the models
SUMMARY_MAX = 4000
BEGINNING = 160  # characters by which an editor recognises a source


@dataclass(frozen=True, slots=True)
class LectureDraft:
    """A lecture as read from a file; `file` is for messages only.

    A recording without paragraphs waits for its transcript.
    """

    file: str
    key: str
    title: str
    paragraphs: tuple[SourceParagraph, ...]
    language: str = "en"
    speaker: str = ""
    date: datetime.date | None = None
    place: str = ""
    series: str = ""
    summary: str = ""
    media: Path | None = None
    sounds: tuple[Sound, ...] = ()

    @property
    def size(self) -> int:
        """Relative cost of importing it."""
        return 1

    @property
    def beginning(self) -> str:
        return _begun(self.paragraphs[0].text) if self.paragraphs else "A recording without a transcript"

    def content(self) -> tuple[object, ...]:
        """Everything that is stored, apart from the bytes of the media."""
        facts = (self.key, self.title, self.language, self.speaker, self.date, self.place, self.series)
        summary = (self.summary,) if self.summary else ()  # so that lectures without one keep their hash
        return (*facts, self.paragraphs, self.sounds, *summary)

    def check(self) -> None:
        """Raise ImportRefused where a value exceeds its column or nothing is left to store."""
        if not self.paragraphs and not self.media:
            raise ImportRefused("contains no text; there is nothing to import")
        _fits("key", self.key, KEY_MAX)
        _fits("title", self.title, TITLE_MAX)
        _fits("language", self.language, LANGUAGE_MAX)
        _fits("summary", self.summary, SUMMARY_MAX)
        for name, value in (("speaker", self.speaker), ("place", self.place), ("series", self.series)):
            _fits(name, value, NAME_MAX)
        size = SourceSize()
        for paragraph in self.paragraphs:
            size.add(paragraph.text)
            _fits("address", paragraph.address, KEY_MAX)
            _fits("heading", paragraph.heading, TITLE_MAX)
            _fits("speaker", paragraph.speaker, NAME_MAX)


@dataclass(frozen=True, slots=True)
class VerseDraft:
    """A verse or section of a work. `source` as in SourceParagraph.

    Without a chapter it is a prose passage under `heading`.
    """

    address: str
    book: str
    chapter: int | None
    verse: int | None
    text: str
    original: str = ""
    speaker: str = ""
    heading: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class WorkDraft:
    """A work as read from a file. `books` counts verses by chapter: {"John": {"11": 57}}."""

    file: str
    key: str
    title: str
    verses: tuple[VerseDraft, ...]
    language: str = "en"
    abbreviation: str = ""
    translator: str = ""
    books: dict[str, dict[str, int]] = field(default_factory=dict)
    media: Path | None = None  # always None; part of the Draft protocol

    @property
    def size(self) -> int:
        """Relative cost of importing it."""
        return len(self.verses)

    @property
    def beginning(self) -> str:
        return f"{self.verses[0].address} {_begun(self.verses[0].text)}" if self.verses else ""

    def content(self) -> tuple[object, ...]:
        facts = (self.key, self.title, self.language, self.abbreviation, self.translator)
        return (*facts, sorted((book, sorted(chapters.items())) for book, chapters in self.books.items()), self.verses)

    def check(self) -> None:
        """Raise ImportRefused where a value exceeds its column or nothing is left to store."""
        if not self.verses:
            raise ImportRefused("contains no verses; there is nothing to import")
        _fits("key", self.key, KEY_MAX)
        _fits("title", self.title, TITLE_MAX - KEY_MAX)
        _fits("language", self.language, LANGUAGE_MAX)
        _fits("abbreviation", self.abbreviation, 20)
        _fits("translator", self.translator, NAME_MAX)
        size = SourceSize()
        for verse in self.verses:
            size.add(verse.text, verse.original)
            _fits("ref", verse.address, KEY_MAX)
            _fits("book", verse.book, KEY_MAX)
            _fits("heading", verse.heading, TITLE_MAX)
            _fits("speaker", verse.speaker, NAME_MAX)


@dataclass(frozen=True, slots=True)
class CuratedDraft:
    """An editor's pin, note or fact in a curated library; the curation app stores it (corpus.curated_port)."""

    file: str
    key: str  # the question, or the title of the note
    media: Path | None = field(default=None, init=False)
    size: int = field(default=1, init=False)


@dataclass(frozen=True, slots=True)
class PinDraft(CuratedDraft):
    """A question with the addresses that answer it.

    collection: the key of the one whose readers it answers, "" for all. state, id: of an exported pin; otherwise "".
    """

    references: tuple[str, ...]
    language: str = "en"
    phrasings: tuple[str, ...] = ()
    framing: str = ""
    collection: str = ""
    state: str = ""
    id: str = ""

    def content(self) -> tuple[object, ...]:
        named = (self.key, self.references, self.language, self.phrasings, self.framing)
        return (*named, self.collection, self.state, self.id)

    def check(self) -> None:
        _fits("question", self.key, TITLE_MAX)
        for phrasing in self.phrasings:
            _fits("phrasing", phrasing, TITLE_MAX)
        _check_curated(self.references, self.language, self.state, self.id)


@dataclass(frozen=True, slots=True)
class NoteDraft(CuratedDraft):
    """Background for questions that contain one of its triggers. state, id: as of a pin."""

    body: str
    triggers: tuple[str, ...]
    references: tuple[str, ...]
    language: str = "en"
    state: str = ""
    id: str = ""

    def content(self) -> tuple[object, ...]:
        return (self.key, self.body, self.triggers, self.references, self.language, self.state, self.id)

    def check(self) -> None:
        _fits("title", self.key, NAME_MAX)
        _check_curated((*self.references, *self.triggers), self.language, self.state, self.id)


@dataclass(frozen=True, slots=True)
class FactDraft(CuratedDraft):
    """What a source says, in the words of `evidence`. key: its content. The curation app checks the rest."""

    values: Mapping[str, str]

    @property
    def id(self) -> str:
        """Two sources may say the same."""
        return "\n".join((self.key, self.values["address"], self.values["evidence"]))

    def content(self) -> tuple[object, ...]:
        return (self.key, *sorted(self.values.items()))

    def check(self) -> None:
        for name, limit in (
            ("subject", NAME_MAX),
            ("predicate", NAME_MAX),
            ("address", KEY_MAX),
            ("object", TITLE_MAX),
        ):
            _fits(name, self.values[name], limit)


def digest(*parts: object) -> str:
    """SHA-256 in hex over the `repr` of the parts, which must be stable."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _begun(text: str) -> str:
    """How the text begins, with a mark where it goes on."""
    return text if len(text) <= BEGINNING else f"{text[:BEGINNING].rstrip()}…"


def _fits(name: str, value: str, limit: int) -> None:
    if len(value) > limit:
        raise ImportRefused(f"has a {name} of {len(value)} characters ({value[:40]}…); the limit is {limit}")


def _check_curated(phrases: tuple[str, ...], language: str, state: str, key: str) -> None:
    _fits("language", language, LANGUAGE_MAX)
    for phrase in phrases:
        _fits("reference or trigger", phrase, KEY_MAX)
    if state and state not in STATES:
        raise ImportRefused(f"has the state {state[:40]!r}; it is one of {', '.join(STATES)}, or empty for a draft")
    if key and not _UUID.fullmatch(key):
        raise ImportRefused(f"has the id {key[:40]!r}, which is not a UUID; leave it empty for a new entry")
