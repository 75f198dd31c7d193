"""What every importer is: a module that knows its format by a file's beginning and reads it into drafts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from corpus.domain.text.cleaning import clean
from corpus.domain.text.traced import storable

from .drafts import LectureDraft, NoteDraft, PinDraft, WorkDraft
from .reading import beginning

AUDIO = (".mp3", ".ogg", ".opus", ".m4a", ".wav", ".flac")
Draft = LectureDraft | WorkDraft | PinDraft | NoteDraft


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to import.

    `key` names its lecture: the path below the folder that was asked for, without its ending. `name` is for messages.
    `head` is how it begins, as bytes and, unless it is binary, as text.
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
        """A title made of the file's name."""
        return self.title_of(self.path.stem)

    @staticmethod
    def title_of(name: str) -> str:
        words = re.sub(r"[-_\s]+", " ", name).strip()
        return words[:1].upper() + words[1:]

    @property
    def recording(self) -> Path | None:
        """The audio file of the same name beside it."""
        return next((audio for ending in AUDIO if (audio := self.path.with_suffix(ending)).is_file()), None)


class Importer(Protocol):
    """A format. Discovery asks the importers in turn; the first to recognize a file reads it."""

    NAME: str

    def recognizes(self, file: SourceFile) -> bool:
        """Say whether the file is of this format: by how it begins, or where that leaves it open by its ending."""

    def read(self, file: SourceFile) -> Iterator[Draft]:
        """Yield what the file holds. Raises Refused at the first thing that is wrong."""


def opened(path: Path, key: str, name: str) -> SourceFile:
    """Return the file with its beginning. Raises Refused where it is empty or cannot be read."""
    head, text = beginning(path)
    return SourceFile(path, clean(key), storable(name), head, text)
