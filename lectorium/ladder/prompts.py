"""Prompts: Markdown files with named slots, filled strictly; source text is fenced off as data.

A file has "# system" and "# user" parts and slots written {{like_this}}. A slot takes a line of text, or a sequence of
FencedText blocks. No value can end its fence, forge a citation marker, or use a model's control tokens.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from django.conf import settings

from lectorium.providers.protocols import ChatMessage, Role

_SLOT = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")
_PART = re.compile(r"^# (\w+)[ \t]*$", re.M)
# Chat template tokens and our own markers: <|im_start|>, </s>, [INST], [^3], {{slot}}.
_CONTROL = re.compile(r"(<)(?=[|/!A-Za-z])|(\[)(?=\^|/?INST\])|(\{)(?=\{)")
_CONTROL_CHARS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
NOTHING = "(none)"


@dataclass(frozen=True, slots=True)
class FencedText:
    """External text under a label such as "[^1]" or "Background"."""

    label: str
    text: str


Slot = str | Sequence[FencedText]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template. `version` is a hash of its text, recorded with each turn."""

    name: str
    text: str

    @property
    def version(self) -> str:
        return version_of(self.text)

    @property
    def slots(self) -> frozenset[str]:
        return frozenset(_SLOT.findall(self.text))

    def fill(self, **slots: Slot) -> tuple[ChatMessage, ...]:
        """The filled messages. Raises ValueError where a slot is missing or unknown."""
        if wrong := self.slots ^ set(slots):
            missing, unknown = sorted(wrong & self.slots), sorted(wrong - self.slots)
            raise ValueError(f"prompt {self.name}: missing {missing or 'nothing'}, unknown {unknown or 'nothing'}")
        shown = {name: _shown(value) for name, value in slots.items()}
        # One pass, so that slots inside values are not filled.
        return tuple(
            ChatMessage(role, _SLOT.sub(lambda slot: shown[slot[1]], text))
            for role, text in _parts(self.name, self.text)
        )


def version_of(text: str) -> str:
    """A twelve-digit hash of the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def shipped(name: str) -> Prompt:
    """The shipped prompt. Raises LookupError where none has this name."""
    if name in shipped_names():
        for folder in settings.PROMPT_DIRS:
            path = Path(folder) / f"{name}.md"
            if path.is_file():
                return Prompt(name, path.read_text(encoding="utf-8"))
    raise LookupError(f"there is no prompt {name!r}; there are {', '.join(shipped_names())}")


def shipped_names() -> list[str]:
    return sorted(path.stem for folder in settings.PROMPT_DIRS for path in Path(folder).glob("*.md"))


def check_replaces(name: str, text: str) -> None:
    """Raise ValueError where `text` cannot replace the shipped prompt: no parts, or other slots."""
    list(_parts(name, text))
    has, needs = Prompt(name, text).slots, shipped(name).slots
    if has != needs:
        raise ValueError(
            f"the slots must be {_listed(needs)}; missing {_listed(needs - has)}, extra {_listed(has - needs)}"
        )


def fits(name: str, text: str) -> bool:
    try:
        check_replaces(name, text)
    except ValueError:
        return False
    return True


def _parts(name: str, text: str) -> Iterator[tuple[Role, str]]:
    before, *rest = _PART.split(text)
    roles = rest[0::2]
    if before.strip() or not roles or not set(roles) <= set(get_args(Role)):
        raise ValueError(
            f"prompt {name}: it must begin with a line “# system” or “# user”, and have no other “# ” lines"
        )
    for role, part in zip(roles, rest[1::2], strict=True):
        yield role, part.strip()  # type: ignore[misc]


def _shown(value: Slot) -> str:
    if isinstance(value, str):
        return " ".join(_harmless(value).split())
    return "\n\n".join(f"{block.label}\n{_fence(block.text)}" for block in value) or NOTHING


def _fence(text: str) -> str:
    """Prefix every line with a bar, so that no line of a source looks like part of the prompt."""
    return "\n".join(f"| {line}" for line in _harmless(text).splitlines()) or "|"


def _harmless(text: str) -> str:
    return _CONTROL.sub(lambda found: f"{found[0]} ", _CONTROL_CHARS.sub("", text))


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"
