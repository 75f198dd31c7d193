"""The interface of importers: a module recognizes its format and reads files into drafts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from corpus.domain.text.cleaning import clean
from corpus.domain.text.traced import storable

from .drafts import FactDraft, LectureDraft, NoteDraft, PinDraft, WorkDraft
from .reading import beginning

AUDIO = (".mp3", ".ogg", ".opus", ".m4a", ".wav", ".flac", ".mp4", ".webm")
Draft = LectureDraft | WorkDraft | PinDraft | NoteDraft | FactDraft


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to import. `name` is for messages.

    key: the lecture's key, the path below the imported folder without its ending.
    head, text: the first bytes, and the same as text unless the file is binary.
    """

    path: Path
    key: str
    name: str
    head: bytes = b""
    text: str = ""

    @property
    def ending(self) -> str:
        return self.path.suffix.lower()

    @property
    def title(self) -> str:
        return self.title_of(self.path.stem)

    @staticmethod
    def title_of(name: str) -> str:
        words = re.sub(r"[-_\s]+", " ", name).strip()
        return words[:1].upper() + words[1:]

    @property
    def recording(self) -> Path | None:
        """The audio file of the same name in the same folder."""
        return next((audio for ending in AUDIO if (audio := self.path.with_suffix(ending)).is_file()), None)


class Importer(Protocol):
    """A format. The first importer to recognize a file reads it."""

    NAME: str

    def recognizes(self, file: SourceFile) -> bool:
        """Whether the file has this format, by its first bytes, or by its ending where those are ambiguous."""

    def read(self, file: SourceFile) -> Iterator[Draft]:
        """The drafts in a file. Raises ImportRefused at the first fault."""


def opened(path: Path, key: str, name: str) -> SourceFile:
    """The file with its first bytes. Raises ImportRefused where it is empty or unreadable."""
    head, text = beginning(path)
    return SourceFile(path, clean(key), storable(name), head, text)
