"""What importers hand over: sources as values, checked and cleaned, not yet stored."""

import datetime
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from corpus.domain.transcript import SourceParagraph

KEY_MAX, TITLE_MAX, NAME_MAX, LANGUAGE_MAX = 200, 500, 200, 12  # as the tables hold them


class Refused(Exception):
    """A file, or one source in it, cannot be taken. The message says what, where and what to do."""


@dataclass(frozen=True, slots=True)
class LectureDraft:
    """A lecture as its file gives it. `file` is for messages only."""

    file: str
    key: str
    title: str
    paragraphs: tuple[SourceParagraph, ...]
    language: str = "en"
    speaker: str = ""
    date: datetime.date | None = None
    place: str = ""
    series: str = ""
    media: Path | None = None

    @property
    def size(self) -> int:
        """Of the work to import it."""
        return 1

    def content(self) -> tuple[object, ...]:
        """Everything that is stored, apart from the bytes of the media."""
        facts = (self.key, self.title, self.language, self.speaker, self.date, self.place, self.series)
        return (*facts, self.paragraphs)

    def check(self) -> None:
        """Raise Refused where a value does not fit its column or nothing is left to store."""
        if not self.paragraphs:
            raise Refused("holds no words; there is nothing to import")
        _fits("key", self.key, KEY_MAX)
        _fits("title", self.title, TITLE_MAX)
        _fits("language", self.language, LANGUAGE_MAX)
        for name, value in (("speaker", self.speaker), ("place", self.place), ("series", self.series)):
            _fits(name, value, NAME_MAX)
        for paragraph in self.paragraphs:
            _fits("address", paragraph.address, KEY_MAX)
            _fits("heading", paragraph.heading, TITLE_MAX)
            _fits("speaker", paragraph.speaker, NAME_MAX)


@dataclass(frozen=True, slots=True)
class VerseDraft:
    """One verse: its address, the chapter of which book it stands in, and its text as shown."""

    address: str
    book: str
    chapter: int
    verse: int
    text: str
    original: str = ""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class WorkDraft:
    """A work as its file gives it. `books` counts verses by chapter: {"John": {"11": 57}}."""

    file: str
    key: str
    title: str
    verses: tuple[VerseDraft, ...]
    language: str = "en"
    abbreviation: str = ""
    translator: str = ""
    books: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Of the work to import it."""
        return len(self.verses)

    def content(self) -> tuple[object, ...]:
        """Everything that is stored."""
        facts = (self.key, self.title, self.language, self.abbreviation, self.translator)
        return (*facts, sorted((book, sorted(chapters.items())) for book, chapters in self.books.items()), self.verses)

    def check(self) -> None:
        """Raise Refused where a value does not fit its column or nothing is left to store."""
        if not self.verses:
            raise Refused("holds no verses; there is nothing to import")
        _fits("key", self.key, KEY_MAX)
        _fits("title", self.title, TITLE_MAX - KEY_MAX)
        _fits("language", self.language, LANGUAGE_MAX)
        _fits("abbreviation", self.abbreviation, 20)
        _fits("translator", self.translator, NAME_MAX)
        for verse in self.verses:
            _fits("ref", verse.address, KEY_MAX)


def digest(*parts: object) -> str:
    """Return a SHA-256 in hex that changes when any part does; parts must have a stable `repr`."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _fits(name: str, value: str, limit: int) -> None:
    if len(value) > limit:
        raise Refused(f"has a {name} of {len(value)} characters ({value[:40]}…); the limit is {limit}")
