"""A curated library as one SQLite file: works, sections, pins and notes. The schema is in docs/editors.md."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from corpus.domain.text.cleaning import clean, clean_lines, lines_cleaned
from corpus.domain.text.traced import whole

from .drafts import ImportRefused, NoteDraft, PinDraft, VerseDraft, WorkDraft, quoted_error
from .protocol import Draft, SourceFile
from .reading import LINE_LIMIT
from .verses import NUMBER_LIMIT, abbreviation_of, books_of

NAME = "library"
MAGIC = b"SQLite format 3\0"
STEPS_LIMIT = 2_000  # times 100,000 SQLite instructions: minutes, not hours
_COLUMNS = {
    "works": ("key", "title", "language", "translator", "abbreviation"),
    "sections": ("work", "address", "book", "chapter", "verse", "heading", "speaker", "text", "original"),
    "pins": ("question", "language", "references"),
    "notes": ("title", "body", "language", "triggers", "references"),
}
_NEEDED = {"works": ("key", "title"), "sections": ("work", "address", "text"), "pins": ("question", "references"),
           "notes": ("title", "body", "triggers")}  # fmt: skip
Row = dict[str, Any]


def recognizes(file: SourceFile) -> bool:
    return file.head.startswith(MAGIC)


def read(file: SourceFile) -> Iterator[Draft]:
    try:
        with closing(_connected(file)) as database:
            tables = _tables(database)
            works: list[Draft] = [_work(file, database, tables, row) for row in _rows(database, tables, "works")]
            pins: list[Draft] = [_pin(file, row) for row in _rows(database, tables, "pins")]
            notes: list[Draft] = [_note(file, row) for row in _rows(database, tables, "notes")]
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        raise ImportRefused(f"is a SQLite file that cannot be read ({quoted_error(error)}); export it again") from error
    if not works and not pins and not notes:
        raise ImportRefused("holds no works, pins or notes; see docs/editors.md for the tables")
    yield from (*works, *pins, *notes)


def _connected(file: SourceFile) -> sqlite3.Connection:
    """Open the file read-only, and run no views or triggers in it."""
    database = sqlite3.connect(f"{file.path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    database.row_factory = sqlite3.Row
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LINE_LIMIT)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    steps = iter(range(STEPS_LIMIT))
    database.set_progress_handler(lambda: next(steps, None) is None, 100_000)
    return database


def _tables(database: sqlite3.Connection) -> dict[str, set[str]]:
    """The columns of the known tables. Raises ImportRefused where a required column is missing."""
    plain = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
    found = {row[0].lower() for row in database.execute(plain)} & _COLUMNS.keys()
    if "works" in found and "sections" not in found:
        raise ImportRefused('has a table "works" but none called "sections"; add it')
    tables = {}
    for name in found:
        columns = {row[1].lower() for row in database.execute(f"PRAGMA table_info({name})")}
        if missing := [column for column in _NEEDED[name] if column not in columns]:
            raise ImportRefused(f'has a table "{name}" without the column "{missing[0]}"; add it')
        tables[name] = columns
    return tables


def _rows(database: sqlite3.Connection, tables: dict[str, set[str]], name: str, work: object = None) -> Iterator[Row]:
    """The rows of a table in order, of one work if given."""
    if name not in tables:
        return
    columns = [column for column in _COLUMNS[name] if column in tables[name]]
    chosen = ", ".join(f'"{column}"' for column in columns)
    where, values = ("WHERE work = ?", (work,)) if work is not None else ("", ())
    for number, row in enumerate(database.execute(f"SELECT {chosen} FROM {name} {where} ORDER BY rowid", values), 1):  # noqa: S608 - names of ours
        record = {column: row[column] for column in columns}
        if empty := next((column for column in _NEEDED[name] if not str(record[column] or "").strip()), None):
            raise ImportRefused(f'table "{name}" row {number} has nothing under "{empty}"; fill it or remove the row')
        if blob := next((column for column in columns if isinstance(record[column], bytes)), None):
            raise ImportRefused(f'table "{name}" row {number} has bytes under "{blob}", not text; store it as text')
        yield {"row": number, **record}


def _work(file: SourceFile, database: sqlite3.Connection, tables: dict[str, set[str]], row: Row) -> WorkDraft:
    sections = tuple(_section(section) for section in _rows(database, tables, "sections", row["key"]))
    seen: set[str] = set()
    for section in sections:
        if section.address in seen:
            raise ImportRefused(f"gives the address {section.address} of {row['key']} twice; remove one")
        seen.add(section.address)
    key = _text(row, "key")
    return WorkDraft(
        file=f"{file.name} ({key})",
        key=key,
        title=_text(row, "title"),
        verses=sections,
        language=_text(row, "language") or "en",
        abbreviation=_text(row, "abbreviation") or abbreviation_of(sections),
        translator=_text(row, "translator"),
        books=books_of(sections),
    )


def _section(row: Row) -> VerseDraft:
    written, address = str(row["text"]), _text(row, "address")
    words = lines_cleaned(whole(written))
    if not words.text:
        raise ImportRefused(f'table "sections" row {row["row"]} ({address}) has no words; fill it or remove the row')
    return VerseDraft(
        address=address,
        book=_text(row, "book") or address.rpartition(" ")[0],
        chapter=_number(row, "chapter"),
        verse=_number(row, "verse"),
        text=words.text,
        original=clean_lines(str(row.get("original") or "")),
        speaker=_text(row, "speaker"),
        heading=_text(row, "heading"),
        source=words.source_in(written),
    )


def _pin(file: SourceFile, row: Row) -> PinDraft:
    question = _text(row, "question")
    named = f"{file.name} (pin {row['row']})"
    return PinDraft(named, question, _list(row, "references"), _text(row, "language") or "en")


def _note(file: SourceFile, row: Row) -> NoteDraft:
    named = f"{file.name} (note {row['row']})"
    body = clean_lines(str(row["body"]))
    lists = _list(row, "triggers"), _list(row, "references")
    return NoteDraft(named, _text(row, "title"), body, *lists, _text(row, "language") or "en")


def _text(row: Row, name: str) -> str:
    return clean(str(row.get(name) or ""))


def _number(row: Row, name: str) -> int | None:
    value = row.get(name)
    if value is None or (isinstance(value, int) and 0 <= value <= NUMBER_LIMIT):
        return value
    raise ImportRefused(f'table "sections" row {row["row"]} has a {name} that is not a number; correct it')


def _list(row: Row, name: str) -> tuple[str, ...]:
    """The items of a JSON list or of lines."""
    value = str(row.get(name) or "")
    try:
        items = json.loads(value) if value.lstrip().startswith("[") else value.splitlines()
    except (ValueError, RecursionError) as error:
        raise ImportRefused(f'row {row["row"]} has "{name}" that is not a JSON list; correct it') from error
    return tuple(item for item in (clean(str(item)) for item in items) if item)
