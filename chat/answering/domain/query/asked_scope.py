"""What a question may be asked of: a collection's key, work:KEY, series:TITLE, kind:verse, language:de, by commas.

A comma inside a series title is written %2C.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

KINDS = ("lecture", "verse", "library")
LONGEST = 400  # characters
_KEY = re.compile(r"[\w-]{1,80}", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?")
_ALLOWED = "it may hold a collection's key, work:, series:, kind: and language:"
_WORK = re.compile(r"[^\x00-\x1f,]{1,200}")


class BadScope(ValueError):
    """The scope cannot be read; the message says which part, and what may stand there."""


@dataclass(frozen=True, slots=True)
class AskedScope:
    """The parts of a scope as asked for; what is empty is left open. Several of one sort widen it: this or that."""

    collection: str = ""
    works: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    series: tuple[str, ...] = ()


def scope_of(text: str) -> AskedScope:
    """Read a scope; "" is everything. Raises BadScope."""
    if len(text) > LONGEST:
        raise BadScope(f"The scope has {len(text)} characters; at most {LONGEST} are read.")
    found: dict[str, list[str]] = {"collection": [], "work": [], "series": [], "kind": [], "language": []}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, separator, value = part.partition(":")
        sort, value = (name, value.strip()) if separator else ("collection", part)
        if sort not in found or not (separator or sort == "collection"):
            raise BadScope(f"The scope has {part[:40]!r}; {_ALLOWED}.")
        if not _CHECKS[sort](value):
            raise BadScope(f"The scope has {part[:40]!r}; {_EXPECTED[sort]}.")
        found[sort].append(value)
    if len(found["collection"]) > 1:
        raise BadScope("The scope names more than one collection; name one, or none for all.")
    return AskedScope(
        "".join(found["collection"]),
        tuple(found["work"]),
        tuple(found["kind"]),
        tuple(map(str.lower, found["language"])),
        tuple(title.replace("%2C", ",") for title in found["series"]),
    )


_CHECKS: dict[str, Callable[[str], object]] = {
    "collection": _KEY.fullmatch,
    "work": _WORK.fullmatch,
    "series": _WORK.fullmatch,
    "kind": KINDS.__contains__,
    "language": _LANGUAGE.fullmatch,
}
_EXPECTED = {
    "collection": "a collection is named by its key, of letters, digits and hyphens",
    "work": "a work is named by its key: work:gita",
    "series": "a series is named by its title: series:Evening talks",
    "kind": f"a kind is one of {', '.join(KINDS)}",
    "language": "a language is a code such as de",
}
