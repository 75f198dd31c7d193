"""What may come in as a tool's arguments, and what of them is recorded."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

UNSTORABLE = str.maketrans({"\0": "\N{REPLACEMENT CHARACTER}"})
NESTED = 6  # deeper values are not recorded


@dataclass(frozen=True, slots=True)
class ArgumentLimits:
    """longest: characters of one text that a tool reads. The others: how much of a call is recorded."""

    longest: int = 20_000
    recorded_text: int = 200
    recorded_items: int = 20
    recorded_in_all: int = 4_000


_LIMITS = ArgumentLimits()


def argument_fault(arguments: Mapping[str, Any], limits: ArgumentLimits = _LIMITS) -> str:
    """Say what no tool can read in these arguments; "" where every text can be read."""
    for name, value in arguments.items():
        for text in _texts(value):
            if len(text) > limits.longest:
                return f"“{storable(name, 40)}” has {len(text):,} characters; at most {limits.longest:,} are read."
            if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
                return f"“{storable(name, 40)}” has a NUL character or half a surrogate pair; send it without."
    return ""


def recorded(
    arguments: Mapping[str, Any], private: frozenset[str] = frozenset(), limits: ArgumentLimits = _LIMITS
) -> dict[str, Any]:
    """The arguments as the audit keeps them: cut, storable, and private texts only counted."""
    kept = {
        storable(name, 40): _counted(value) if name in private else _kept(value, limits)
        for name, value in list(arguments.items())[: limits.recorded_items]
    }
    size = len(json.dumps(kept, ensure_ascii=False))
    return kept if size <= limits.recorded_in_all else {"left out": f"{size:,} characters of arguments"}


def _kept(value: Any, limits: ArgumentLimits, depth: int = 0) -> Any:
    if isinstance(value, str):
        return storable(value, limits.recorded_text)
    if depth >= NESTED:
        return "…"
    if isinstance(value, Mapping):
        items = list(value.items())[: limits.recorded_items]
        return {storable(str(name), 40): _kept(part, limits, depth + 1) for name, part in items}
    if isinstance(value, list | tuple):
        return [_kept(part, limits, depth + 1) for part in value[: limits.recorded_items]]
    return value if value is None or isinstance(value, bool | int) else storable(str(value), limits.recorded_text)


def _counted(value: Any) -> str:
    return f"{len(value):,} characters" if isinstance(value, str) else "not a text"


def storable(text: str, most: int) -> str:
    """At most `most` characters of a text, without what no database stores."""
    kept = text if len(text) <= most else f"{text[: most - 1]}…"
    return kept.encode("utf-8", "replace").decode().translate(UNSTORABLE)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value of JSON, names included, without recursion."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            waiting.extend((*part.keys(), *part.values()))
        elif isinstance(part, list | tuple):
            waiting.extend(part)
