"""JSON lines in and out of commands, checked before any work starts."""

import codecs
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandError


def read_objects(path: Path, fields: Mapping[str, type]) -> list[dict[str, Any]]:
    """The objects of a JSON lines file, each with every field of the given type.

    A file that begins with a line "{" is one object over several lines, as `ask --json` prints it. Texts are valid
    Unicode and numbers finite, so every object can be written again. Raises CommandError with the file, line and fault.
    """
    return [found for _, found in placed_objects(path, fields)]


def placed_objects(path: Path, fields: Mapping[str, type]) -> list[tuple[str, dict[str, Any]]]:
    """Like `read_objects`, each object with its file and line for messages."""
    try:
        data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise CommandError(f"{path}: cannot be read: {error.strerror}") from error
    # Split at line feeds only: splitlines() also splits at U+2028, which a JSON string may contain.
    lines = [data] if data.startswith((b"{\n", b"{\r\n")) else data.split(b"\n")
    places = ((f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip())
    return [(where, _checked(line, where, fields)) for where, line in places]


def _checked(line: bytes, where: str, fields: Mapping[str, type]) -> dict[str, Any]:
    try:
        found = json.loads(line.decode())
        _encoded(found)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{where}: {_reason(error)}") from error
    if not isinstance(found, dict):
        message = f"{where}: expected an object with {', '.join(fields)}; got {type(found).__name__}"
        raise CommandError(message)
    for name, kind in fields.items():
        if name not in found:
            message = f"{where}: the field {name!r} is missing; expected {', '.join(fields)}"
            raise CommandError(message)
        if not isinstance(found[name], kind):
            message = f"{where}: {name!r} must be {_WORDS[kind]}, not {type(found[name]).__name__}"
            raise CommandError(message)
    return found


def check_output(path: Path) -> None:
    """Raise CommandError, with a remedy, where `path` cannot be written; call it before long work."""
    if path.is_dir():
        raise CommandError(f"{path} cannot be written: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise CommandError(f"{path} cannot be written: there is no folder {path.parent}; create it first")


def write_objects(path: Path, objects: Iterable[Mapping[str, Any]]) -> int:
    """Write objects as JSON lines and return how many; `path` is replaced once all are written.

    Raises CommandError where it cannot be written, with the line of an object that is not JSON in UTF-8.
    """
    check_output(path)
    count = 0
    try:
        with _replacing(path) as out:
            for count, found in enumerate(objects, 1):
                out.write(_line(found, f"{path}, line {count}"))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}") from error
    return count


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    if path.exists() and not path.is_file():  # a pipe or device such as /dev/stdout must not be replaced
        with path.open("wb") as out:
            yield out
        return
    path = path.resolve()  # keeps a symbolic link
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as out:
        try:
            if path.exists():
                shutil.copymode(path, part)
            yield out
            out.flush()
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def _line(found: Mapping[str, Any], where: str) -> bytes:
    try:
        return _encoded(found) + b"\n"
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{where}: {_reason(error)}") from error


def _encoded(found: object) -> bytes:
    return json.dumps(found, ensure_ascii=False, allow_nan=False).encode()


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"not JSON ({error.msg} at column {error.colno})"
        case UnicodeDecodeError():
            return "not UTF-8; save the file as UTF-8"
        case UnicodeEncodeError():
            return "a text holds half a surrogate pair, which is no character; correct or remove it"
        case RecursionError():
            return "nested too deeply"
        case _:
            return "a number is not finite or has too many digits; correct it, or write it as a string"


_WORDS: dict[type, str] = {str: "a string", list: "a list", dict: "an object", object: "a value"}
