"""JSON lines in and out of commands: checked before any work starts, so that a bad line costs nothing."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError


def read_objects(path: Path, fields: Mapping[str, type]) -> list[dict[str, Any]]:
    """Return the objects of a JSON lines file, each holding every field with a value of its type.

    A file that begins with a line of "{" is one object over several lines, as `ask --json` prints it.
    Raises CommandError naming the file, the line and what is wrong with it.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read as UTF-8 text: {error}"
        raise CommandError(message) from error
    lines = [text] if text.startswith("{\n") else text.splitlines()
    return [_checked(line, f"{path}, line {n}", fields) for n, line in enumerate(lines, 1) if line.strip()]


def _checked(line: str, where: str, fields: Mapping[str, type]) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        message = f"{where}: not JSON ({error.msg} at column {error.colno})"
        raise CommandError(message) from error
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


def write_objects(path: Path, objects: Iterable[Mapping[str, Any]]) -> int:
    """Write objects as JSON lines as they come and return how many there were."""
    count = 0
    with path.open("w", encoding="utf-8") as out:
        for found in objects:
            out.write(json.dumps(found, ensure_ascii=False) + "\n")
            count += 1
    return count


_WORDS: dict[type, str] = {str: "a string", list: "a list", dict: "an object", object: "a value"}
