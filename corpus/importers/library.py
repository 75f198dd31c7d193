"""A curated library as one SQLite file: works, sections, pins, notes and facts. The schema is in docs/editors.md.

`curation.library.export` writes the newest version. Files by hand have none and are read as the first.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from corpus.domain.addresses.address import chapter_numbers
from corpus.domain.text.cleaning import clean, clean_lines, lines_cleaned
from corpus.domain.text.traced import storable, whole

from .drafts import FactDraft, NoteDraft, PinDraft, VerseDraft, WorkDraft
from .limits import SourceSize, check_expansion, check_file_size, check_rows
from .protocol import Draft, SourceFile
from .reading import LINE_LIMIT
from .refusal import ImportRefused, quoted_error
from .verses import NUMBER_LIMIT, abbreviation_of, books_of

NAME = "library"
MAGIC = b"SQLite format 3\0"
VERSION = 3  # PRAGMA user_version; the second had no facts; the first no phrasings, framing, collections, states, ids
STEPS_LIMIT = 4_000  # times 100,000 SQLite instructions: minutes, not hours
_FACT = ("subject", "predicate", "object", "content", "address", "evidence")
_COLUMNS = {
    "works": ("key", "title", "language", "translator", "abbreviation", "books"),
    "sections": ("work", "address", "book", "chapter", "verse", "heading", "speaker", "text", "original", "source"),
    "pins": ("id", "question", "phrasings", "framing", "language", "collection", "references", "state"),
    "notes": ("id", "title", "body", "language", "triggers", "references", "state"),
    "facts": (*_FACT, "kind", "holder", "valid_from", "valid_to", "confidence"),
}
_NEEDED = {"works": ("key", "title"), "sections": ("work", "address", "text"), "pins": ("question", "references"),
           "notes": ("title", "body", "triggers"), "facts": _FACT}  # fmt: skip
# The sections of each work, indexed: a file of 20,000 works would otherwise be scanned 20,000 times.
_PLACES = (
    "CREATE TEMP TABLE section_places AS SELECT work, rowid AS place FROM sections;"
    "CREATE INDEX temp.places_by_work ON section_places (work, place)"
)
_OF_WORK = "WHERE rowid IN (SELECT place FROM section_places WHERE work = ?)"
Row = dict[str, Any]
Tables = dict[str, set[str]]  # columns by table


def recognizes(file: SourceFile) -> bool:
    return file.head.startswith(MAGIC)


def read(file: SourceFile) -> Iterator[Draft]:
    """Reads the file twice: the first pass raises ImportRefused at a fault, the second holds one work at a time."""
    check_file_size(file.path)
    try:
        with closing(_connected(file)) as database:
            exact, tables = _version(database) > 1, _tables(database)
            if not sum(1 for _ in _drafts(file, database, tables, exact)):
                raise ImportRefused("holds no works, pins, notes or facts; see docs/editors.md for the tables")
            yield from _drafts(file, database, tables, exact)
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        raise ImportRefused(f"is a SQLite file that cannot be read ({quoted_error(error)}); export it again") from error


def _drafts(file: SourceFile, database: sqlite3.Connection, tables: Tables, exact: bool) -> Iterator[Draft]:
    yield from (_work(file, database, tables, row) for row in _rows(database, tables, "works"))
    yield from (_pin(file, row, exact) for row in _rows(database, tables, "pins"))
    yield from (_note(file, row, exact) for row in _rows(database, tables, "notes"))
    yield from (_fact(file, row) for row in _rows(database, tables, "facts"))


def _connected(file: SourceFile) -> sqlite3.Connection:
    """Open the file read-only, and run no views or triggers in it."""
    database = sqlite3.connect(f"{file.path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    database.row_factory = sqlite3.Row
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LINE_LIMIT)
    database.executescript("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    steps = iter(range(STEPS_LIMIT))
    database.set_progress_handler(lambda: next(steps, None) is None, 100_000)
    return database


def _version(database: sqlite3.Connection) -> int:
    """The version of the tables, 0 where it is not given. Raises ImportRefused for one that is not known."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if not 0 <= version <= VERSION:
        raise ImportRefused(
            f"is a library of version {version}, and this Lectorium reads versions up to {VERSION}; update Lectorium, "
            "or export the library again from one of this version"
        )
    return int(version)


def _tables(database: sqlite3.Connection) -> Tables:
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
    rows = {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}  # noqa: S608 - names of ours
    check_rows(sum(rows.values()), sum(rows.get(name, 0) for name in ("pins", "notes", "facts")))
    if "sections" in tables:
        database.executescript(_PLACES)
    return tables


def _rows(database: sqlite3.Connection, tables: Tables, name: str, work: object = None) -> Iterator[Row]:
    """The rows of a table in order, of one work if given."""
    if name not in tables:
        return
    columns = [column for column in _COLUMNS[name] if column in tables[name]]
    chosen = ", ".join(f'"{column}"' for column in columns)
    where, values = (_OF_WORK, (work,)) if work is not None else ("", ())
    for number, row in enumerate(database.execute(f"SELECT {chosen} FROM {name} {where} ORDER BY rowid", values), 1):  # noqa: S608 - names of ours
        record = {column: row[column] for column in columns}
        if empty := next((column for column in _NEEDED[name] if not str(record[column] or "").strip()), None):
            raise ImportRefused(f'table "{name}" row {number} has nothing under "{empty}"; fill it or remove the row')
        if blob := next((column for column in columns if isinstance(record[column], bytes)), None):
            raise ImportRefused(f'table "{name}" row {number} has bytes under "{blob}", not text; store it as text')
        for column in ("text", "original", "body"):
            check_expansion(str(record.get(column) or ""), f'table "{name}" row {number}')
        yield {"row": number, **record}


def _work(file: SourceFile, database: sqlite3.Connection, tables: Tables, row: Row) -> WorkDraft:
    sections = tuple(_sections(database, tables, row))
    key, has_books = _text(row, "key"), bool(row.get("books"))
    return WorkDraft(
        file=f"{file.name} ({key})",
        key=key,
        title=_text(row, "title"),
        verses=sections,
        language=_text(row, "language") or "en",
        abbreviation=_text(row, "abbreviation") or ("" if has_books else abbreviation_of(sections)),
        translator=_text(row, "translator"),
        books=_books(row) if has_books else books_of(sections),
    )


def _sections(database: sqlite3.Connection, tables: Tables, work: Row) -> Iterator[VerseDraft]:
    seen: set[str] = set()
    size = SourceSize()
    for section in map(_section, _rows(database, tables, "sections", work["key"])):
        if section.address in seen:
            raise ImportRefused(f"gives the address {section.address} of {work['key']} twice; remove one")
        seen.add(section.address)
        size.add(section.text, section.original)
        yield section


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
        source=_source(row, words.text) or words.source_in(written),
    )


def _source(row: Row, text: str) -> str:
    """The section as it was imported first, if these words come from it."""
    source = str(row.get("source") or "")
    return source if source and lines_cleaned(whole(source)).text == text else ""


def _books(row: Row) -> dict[str, dict[str, int]]:
    """Verses by chapter: {"BG": {"2": 72}}."""
    place = f'table "works" row {row["row"]}'
    try:
        written = json.loads(str(row["books"]))
        books = {str(book): {str(c): int(n) for c, n in chapters.items()} for book, chapters in written.items()}
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ImportRefused(f'{place} has "books" that are not counts of verses; correct them') from error
    if not all(chapter_numbers(name) for chapters in books.values() for name in chapters):
        raise ImportRefused(f'{place} has a chapter in "books" that is not a number, such as 3 or 1.2; correct it')
    return books


def _pin(file: SourceFile, row: Row, exact: bool) -> PinDraft:
    return PinDraft(
        f"{file.name} (pin {row['row']})",
        _curated(row, "question", exact),
        _list(row, "references", exact),
        _text(row, "language") or "en",
        phrasings=_list(row, "phrasings", exact),
        framing=_curated(row, "framing", exact),
        collection=_text(row, "collection"),
        state=_text(row, "state"),
        id=_text(row, "id"),
    )


def _note(file: SourceFile, row: Row, exact: bool) -> NoteDraft:
    return NoteDraft(
        f"{file.name} (note {row['row']})",
        _curated(row, "title", exact),
        _curated(row, "body", exact),
        _list(row, "triggers", exact),
        _list(row, "references", exact),
        _text(row, "language") or "en",
        state=_text(row, "state"),
        id=_text(row, "id"),
    )


def _fact(file: SourceFile, row: Row) -> FactDraft:
    values = {name: storable(str(row.get(name) or "")) for name in _COLUMNS["facts"]}
    return FactDraft(f"{file.name} (fact {row['row']})", values["content"], values)


def _curated(row: Row, name: str, exact: bool) -> str:
    """An editor's text: as written where a Lectorium exported it, otherwise cleaned."""
    value = str(row.get(name) or "")
    return storable(value) if exact else clean_lines(value) if name in ("body", "framing") else clean(value)


def _text(row: Row, name: str) -> str:
    return clean(str(row.get(name) or ""))


def _number(row: Row, name: str) -> int | None:
    value = row.get(name)
    if value is None or (isinstance(value, int) and 0 <= value <= NUMBER_LIMIT):
        return value
    raise ImportRefused(f'table "sections" row {row["row"]} has a {name} that is not a number; correct it')


def _list(row: Row, name: str, exact: bool) -> tuple[str, ...]:
    """The items of a JSON list or of lines."""
    value = str(row.get(name) or "")
    try:
        items = json.loads(value) if value.lstrip().startswith("[") else value.splitlines()
    except (ValueError, RecursionError) as error:
        raise ImportRefused(f'row {row["row"]} has "{name}" that is not a JSON list; correct it') from error
    written = (storable(str(item)) if exact else clean(str(item)) for item in items)
    return tuple(item for item in written if item)
