"""Finds lists of references that models append: `[^1]: …` lines, or a list under a heading such as "Sources:"."""

import re

from chat.answering.domain.stream.window import NeedMore, Window

_HEADS = frozenset(
    [
        "bibliography",
        "citations",
        "footnotes",
        "notes",
        "reference list",
        "references",
        "source list",
        "sources",
        "sources cited",
        "sources used",
        "works cited",
    ]
)
_NOISE = re.compile(r"[#*_:>\s]+")
_INDENT = re.compile(r"[ \t]*")
_BLANK = re.compile(r"\s*")
_NUMBERED = r"[ \t]*(?:[-*+•]\s*)?(?:\(?\[\^?\d|\(?\^?\d{1,3}[\]).:]|[¹²³⁰-⁹])"
_ANY_ITEM = re.compile(rf"{_NUMBERED}|[ \t]*(?:\[|[-*+•]\s)")
_NUMBERED_ITEM = re.compile(_NUMBERED)
_DEFINITION = re.compile(r"[ \t]*\[(?:\^[^\]\s]{1,20}|\d{1,3})\]:")
_HEAD_CHARS, _ITEM_CHARS, _DEFINITION_CHARS = 34, 8, 36


def is_definition(window: Window) -> bool:
    """Whether the line begins `[^1]:` or `[1]:`."""
    indent = window.run(_INDENT, 0, _ITEM_CHARS)
    return window.char(indent) == "[" and bool(_DEFINITION.match(window.ahead(_DEFINITION_CHARS)))


def begins_list(window: Window) -> str:
    """The heading's name if the line is the heading of a list of references, and such a list follows; else ""."""
    line, newline, rest = window.text[window.at :].partition("\n")
    if len(line) >= _HEAD_CHARS:
        return ""
    name = _NOISE.sub(" ", line).strip().lower()
    if not newline and not window.ended:
        if any(head.startswith(name) for head in _HEADS):
            raise NeedMore
        return ""
    if name not in _HEADS:
        return ""
    item = rest[len(_BLANK.match(rest)[0]) :][:_ITEM_CHARS]  # type: ignore[index]  # the pattern always matches
    if len(item) < _ITEM_CHARS and "\n" not in item and not window.ended:
        raise NeedMore
    return name if not item or is_listed(item, name) else ""


def is_listed(line: str, heading: str) -> bool:
    """Whether the line is an item of the list. Under "Notes" only numbered items, since other notes may be prose."""
    return bool((_NUMBERED_ITEM if heading == "notes" else _ANY_ITEM).match(line))
