"""JSON records: one per line, an array, or an object that contains an array."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .limits import MEGABYTE, check_expansion, check_file_size, check_rows, source_bytes
from .reading import LINE_LIMIT, decode
from .refusal import ImportRefused

ENDINGS = (".jsonl", ".json")
_UNREAD = {RecursionError: "nested too deeply", ValueError: "a number has too many digits"}
Record = dict[str, Any]


def records(path: Path) -> Iterator[tuple[str, Record]]:
    """("line 3" or "row 3", object) for each record.

    Raises ImportRefused, naming the place, where a record is not a JSON object in UTF-8 or exceeds LINE_LIMIT, or where
    the file has too many.
    """
    check_file_size(path)
    rows = _rows(path) if path.suffix.lower() == ".json" else None
    for number, (place, record) in enumerate(_lines(path) if rows is None else _numbered(rows), start=1):
        check_rows(number)
        for value in record.values():
            if isinstance(value, str):
                check_expansion(value, place)
        yield place, record


def first_record(path: Path) -> Record:
    for _, record in records(path):
        return record
    raise ImportRefused("is empty")


def _rows(path: Path) -> list[Any] | None:
    """The rows of a file with one JSON value; None for JSON lines.

    Facts beside the array apply to every row that does not override them.
    """
    if path.stat().st_size > source_bytes():
        raise ImportRefused(
            f"is larger than {source_bytes() // MEGABYTE} MB; save its rows as JSON Lines, which may be larger"
        )
    text = decode(path.read_bytes())
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and text.startswith("{"):
            return None
        place = f"line {error.lineno}"
        raise ImportRefused(f"is not JSON ({error.msg}, {place}); correct it there") from error
    except (ValueError, RecursionError) as error:
        raise ImportRefused(f"is not JSON ({_UNREAD[type(error)]}); correct it") from error
    if isinstance(whole, list):
        return whole
    if not isinstance(whole, dict):
        raise ImportRefused("contains neither an array of rows nor an object with one; see docs/editors.md")
    held = [value for value in whole.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if len(held) != 1:
        return [whole]
    facts = {name: value for name, value in whole.items() if isinstance(value, str)}
    return [facts | row if isinstance(row, dict) else row for row in held[0]]


def _numbered(rows: list[Any]) -> Iterator[tuple[str, Record]]:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise ImportRefused(f"row {number} is not a JSON object; each row must be one {{…}}")
        if sum(len(value) for value in row.values() if isinstance(value, str)) > LINE_LIMIT:
            raise ImportRefused(f"row {number} is longer than {LINE_LIMIT // MEGABYTE} MB; split the text into rows")
        yield f"row {number}", row


def _lines(path: Path) -> Iterator[tuple[str, Record]]:
    with path.open("rb") as file:
        for number in range(1, 1 << 62):
            line = file.readline(LINE_LIMIT + 1)
            if not line:
                return
            if len(line) > LINE_LIMIT:
                raise ImportRefused(
                    f"line {number} is longer than {LINE_LIMIT // MEGABYTE} MB; split the text into records"
                )
            if line.strip():
                yield f"line {number}", _object(line, number)


def _object(line: bytes, number: int) -> Record:
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ImportRefused(f"line {number} is not UTF-8; save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else _UNREAD[type(error)]
        raise ImportRefused(f"line {number} is not JSON ({reason}); correct or remove it") from error
    if not isinstance(record, dict):
        raise ImportRefused(f"line {number} is not a JSON object; each line must be one {{…}}")
    return record
