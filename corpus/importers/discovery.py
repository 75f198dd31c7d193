"""Finding what can be imported under a path, and the reader for it by what it holds."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import tables, verses
from .drafts import LectureDraft, Refused, WorkDraft
from .plain import read_markdown, read_plain
from .reading import json_lines, read_text
from .timed import read_timed

ENDINGS = (".txt", ".md", ".vtt", ".srt", ".jsonl")
# Where one of these lies in a folder, the other files there only describe it.
TABLES = ("paragraphs.jsonl", "corpus.jsonl", "verses.jsonl")
DESCRIPTIONS = ("readme", "source", "license", "notice")


@dataclass(frozen=True, slots=True)
class Found:
    """A file to import, and the key of its lecture: its path below the folder that was asked for."""

    path: Path
    key: str


def find_files(path: Path) -> Iterator[Found]:
    """Yield the files under a path, in order of name. Raises Refused where there is nothing to import."""
    if path.is_file():
        yield Found(path, path.stem)
        return
    if not path.is_dir():
        raise Refused("does not exist; check the path")
    files = [file for file in sorted(path.rglob("*")) if _is_source(file)]
    if not files:
        raise Refused(f"holds no file that ends in {', '.join(ENDINGS)}")
    for file in files:
        yield Found(file, file.relative_to(path).with_suffix("").as_posix())


def read_lectures(found: Found) -> Iterator[LectureDraft]:
    """Yield the lectures of a file. Raises Refused where it holds none that can be read."""
    path = found.path
    if path.suffix.lower() == ".jsonl":
        yield from _read_table(path)
        return
    text = read_text(path)
    if text.startswith("WEBVTT") or path.suffix.lower() in (".srt", ".vtt"):
        yield read_timed(path, text, found.key)
    elif path.suffix.lower() == ".md":
        yield read_markdown(path, text, found.key)
    elif path.suffix.lower() == ".txt":
        yield read_plain(path, text, found.key)
    else:
        raise Refused(f"is none of {' '.join(ENDINGS)}; convert it to one of them")


def read_works(found: Found) -> Iterator[WorkDraft]:
    """Yield the work of a file of verses. Raises Refused where it holds none."""
    if found.path.suffix.lower() != ".jsonl":
        raise Refused("is not .jsonl; write one verse a line")
    if not verses.is_verse(_first_record(found.path)):
        raise Refused('holds no verses: each line needs "ref", "chapter" and "verse"')
    yield verses.read_work(found.path)


def _is_source(file: Path) -> bool:
    if not file.is_file() or file.suffix.lower() not in ENDINGS or file.stem.lower() in DESCRIPTIONS:
        return False
    described = any((file.parent / table).is_file() for table in TABLES)
    return not described or file.name in TABLES


def _read_table(path: Path) -> Iterator[LectureDraft]:
    first = _first_record(path)
    if tables.is_paragraph(first):
        yield from tables.read_paragraphs(path)
    elif tables.is_text(first):
        yield from tables.read_texts(path)
    elif tables.is_lecture_fact(first):
        raise Refused("only describes lectures; import the paragraphs.jsonl that belongs beside it")
    elif verses.is_verse(first):
        raise Refused("holds verses; import it with import_works")
    else:
        raise Refused('has lines with neither "lecture" and "text" nor "_id" and "text"; see docs/importing.md')


def _first_record(path: Path) -> dict[str, object]:
    for _, record in json_lines(path):
        return record
    raise Refused("is empty")
