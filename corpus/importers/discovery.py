"""Finds the files to import under a path, and the importer for each by its content."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import mkdtemp

from . import jsonl, library, markdown, pdf, plain, recording, records, subrip, verses, vtt
from .archive import is_archive, unpack
from .protocol import AUDIO, Draft, Importer, SourceFile, opened
from .refusal import ImportRefused
from .verses import DESCRIBED_IN, FACTS, PLAIN_NAMES

IMPORTERS: tuple[Importer, ...] = (library, pdf, recording, vtt, subrip, verses, jsonl, markdown, plain)
TRANSCRIPTS = (".vtt", ".srt", ".txt", ".md", ".markdown", ".pdf")
ENDINGS = (*TRANSCRIPTS, ".jsonl", ".json", ".db", ".sqlite", ".sqlite3", ".zip", *AUDIO)
# In a folder with one of these, the other files only describe it.
TABLES = ("paragraphs.jsonl", "corpus.jsonl", "verses.jsonl")
DESCRIPTIONS = ("readme", "source", "license", "notice")
IGNORED_NAMES = (
    "thumbs.db",
    "desktop.ini",
    "__macosx",
)  # files of file managers; hidden and lock files are skipped too
FOREIGN_REPORTED = 20  # unreadable files of a folder that are reported one by one


_OF_NO_KIND = "has no supported format"
_REMEDY = f"convert it to one of {' '.join(ENDINGS)}"


class UnopenedFile(ImportRefused):
    """A refusal before any importer was chosen; `file` is its name."""

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(problem)
        self.file = file


def find_files(path: Path, workspace: Path, name: str = "") -> Iterator[SourceFile | UnopenedFile]:
    """The files under a path, by name; archives are unpacked into the workspace and searched.

    A file that cannot be opened is yielded as UnopenedFile. Raises ImportRefused where there is nothing to import.
    """
    if path.is_file():
        yield from _opened(path, path.stem, name or str(path), workspace)
    elif path.is_dir():
        yield from _below(path, workspace, name or str(path))
    else:
        raise ImportRefused("does not exist; check the path")


def read(file: SourceFile) -> Iterator[Draft]:
    """The drafts in a file. Raises ImportRefused where no importer recognizes it or the importer rejects it."""
    importer = next((importer for importer in IMPORTERS if importer.recognizes(file)), None)
    if not importer:
        raise ImportRefused(f"{_OF_NO_KIND}; {_REMEDY}")
    yield from importer.read(file)


def named(paths: Sequence[Path]) -> list[Path]:
    """The paths without files that are read along with another."""
    beside: dict[Path, set[str]] = defaultdict(set)
    for path in paths:
        beside[path.parent].add(path.name)
    return [path for path in paths if not _is_read_along(path, beside[path.parent].__contains__)]


def _below(folder: Path, workspace: Path, name: str) -> Iterator[SourceFile | UnopenedFile]:
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and not _is_noise(file, folder)]
    if not any(_is_read(file) for file in files):
        raise ImportRefused(f"contains no file that ends in {', '.join(ENDINGS)}")
    for file in filter(_is_read, files):
        inside = file.relative_to(folder)
        yield from _opened(file, inside.with_suffix("").as_posix(), f"{name}/{inside.as_posix()}", workspace)
    foreign = [f"{name}/{file.relative_to(folder).as_posix()}" for file in files if not _is_read(file)]
    for told in foreign[:FOREIGN_REPORTED]:
        yield UnopenedFile(told, f"{_OF_NO_KIND}; {_REMEDY}")
    if more := foreign[FOREIGN_REPORTED:]:
        yield UnopenedFile(more[0], f"{_OF_NO_KIND}{f' ({len(more) - 1} more here)' if more[1:] else ''}; {_REMEDY}")


def _opened(path: Path, key: str, name: str, workspace: Path) -> Iterator[SourceFile | UnopenedFile]:
    try:
        file = opened(path, key, name)
        if not is_archive(file.head):
            yield file
            return
        folder = Path(mkdtemp(dir=workspace))
        unpack(path, folder)
        yield from _below(folder, workspace, name)
    except ImportRefused as refusal:
        yield UnopenedFile(name, str(refusal))


def _is_read(file: Path) -> bool:
    return file.suffix.lower() in ENDINGS


def _is_noise(file: Path, folder: Path) -> bool:
    """Whether a file in a folder is not meant for import."""
    parts = file.relative_to(folder).parts
    if any(part.startswith((".", "~$")) or part.lower() in IGNORED_NAMES for part in parts):
        return True
    if file.stem.lower() in DESCRIPTIONS or _is_read_along(file, lambda name: (file.parent / name).is_file()):
        return True
    return file.name not in TABLES and any((file.parent / table).is_file() for table in TABLES)


def _is_read_along(file: Path, is_beside: Callable[[str], bool]) -> bool:
    """Whether a file is read along with another: a recording or facts."""
    if file.suffix.lower() in AUDIO:
        return any(is_beside(file.with_suffix(ending).name) for ending in TRANSCRIPTS)
    if file.name.endswith(FACTS):
        return any(is_beside(f"{file.name.removesuffix(FACTS)}{ending}") for ending in records.ENDINGS)
    if file.stem == "lectures":
        return is_beside(f"paragraphs{file.suffix}")
    return file.name in DESCRIBED_IN and any(is_beside(f"{name}.jsonl") for name in PLAIN_NAMES)
