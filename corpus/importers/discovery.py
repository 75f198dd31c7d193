"""Finding what can be imported under a path, and the importer for it by what it holds."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

from . import jsonl, library, markdown, pdf, plain, recording, subrip, verses, vtt
from .archive import is_archive, unpack
from .drafts import Refused
from .protocol import AUDIO, Draft, Importer, SourceFile, opened

IMPORTERS: tuple[Importer, ...] = (library, pdf, recording, vtt, subrip, verses, jsonl, markdown, plain)
TRANSCRIPTS = (".vtt", ".srt", ".txt", ".md", ".markdown", ".pdf")
ENDINGS = (*TRANSCRIPTS, ".jsonl", ".db", ".sqlite", ".sqlite3", ".zip", *AUDIO)
# Where one of these lies in a folder, the other files there only describe it.
TABLES = ("paragraphs.jsonl", "corpus.jsonl", "verses.jsonl")
DESCRIPTIONS = ("readme", "source", "license", "notice")


class Unopened(Refused):
    """A refusal before any importer was asked; `file` is its name."""

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(problem)
        self.file = file


def find_files(path: Path, workspace: Path, name: str = "") -> Iterator[SourceFile | Unopened]:
    """Yield the files under a path, in order of name; archives are unpacked into the workspace and looked into.

    A file that cannot be opened is yielded as Unopened. Raises Refused where there is nothing to import.
    """
    if path.is_file():
        yield from _opened(path, path.stem, name or str(path), workspace)
    elif path.is_dir():
        yield from _below(path, workspace, name or str(path))
    else:
        raise Refused("does not exist; check the path")


def read(file: SourceFile) -> Iterator[Draft]:
    """Yield what a file holds. Raises Refused where no importer knows it, or the one that does cannot take it."""
    importer = next((importer for importer in IMPORTERS if importer.recognizes(file)), None)
    if not importer:
        raise Refused(f"is of no kind that can be imported; convert it to one of {' '.join(ENDINGS)}")
    yield from importer.read(file)


def _below(folder: Path, workspace: Path, name: str) -> Iterator[SourceFile | Unopened]:
    files = [file for file in sorted(folder.rglob("*")) if _is_source(file)]
    if not files:
        raise Refused(f"holds no file that ends in {', '.join(ENDINGS)}")
    for file in files:
        inside = file.relative_to(folder)
        yield from _opened(file, inside.with_suffix("").as_posix(), f"{name}/{inside.as_posix()}", workspace)


def _opened(path: Path, key: str, name: str, workspace: Path) -> Iterator[SourceFile | Unopened]:
    try:
        file = opened(path, key, name)
        if not is_archive(file.head):
            yield file
            return
        folder = Path(mkdtemp(dir=workspace))
        unpack(path, folder)
        yield from _below(folder, workspace, name)
    except Refused as refusal:
        yield Unopened(name, str(refusal))


def _is_source(file: Path) -> bool:
    if not file.is_file() or file.suffix.lower() not in ENDINGS or file.stem.lower() in DESCRIPTIONS:
        return False
    if file.suffix.lower() in AUDIO:
        return not any(file.with_suffix(ending).is_file() for ending in TRANSCRIPTS)
    described = any((file.parent / table).is_file() for table in TABLES)
    return not described or file.name in TABLES
