"""Sentences of our own that are stored or raised in English, some with values in them, and shown in any language.

Where a sentence is shown, it is matched to its wording, and its values are put into the wording's translation.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

_VALUES = {
    "number": r"[\d,]+",
    "most": r"[\d,]+",
    "counts": r"[\d,]+ [a-z ]+?(?: and [\d,]+ [a-z ]+?)*",
    "held": r"[\d,]+ [a-z]+",
    "numbers": r"\[[\d\], \[]+\]",
    "cited": r"\[\d+\](?: \[\d+\]| and \[\d+\])*",
}
_LISTS = frozenset({"counts", "cited", "scripts"})  # values that are lists of words
_PHRASES = frozenset({"held", "whole", "rule", "reason", "what", "place"})  # values that have a wording of their own
_BETWEEN = re.compile(r" · |(?<=[.?!]) ")


@dataclass(frozen=True)
class MessageWording:
    """A sentence or a part of one; `{name}` stands for a value. plural: where its `{number}` is not 1."""

    text: str
    plural: str = ""

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(_pattern(form), re.DOTALL) for form in filter(None, (self.text, self.plural)))

    def values(self, text: str) -> Mapping[str, str] | None:
        """The values that a stored sentence has in this wording; None where it is another."""
        found = next(filter(None, (pattern.fullmatch(text) for pattern in self._patterns)), None)
        return found and found.groupdict()


def _pattern(form: str) -> str:
    parts = re.split(r"\{(\w+)\}", form)
    return "".join(
        f"(?P<{part}>{_VALUES.get(part, '.+?')})" if place % 2 else re.escape(part) for place, part in enumerate(parts)
    )


AND = MessageWording("{first} and {second}")


@dataclass(frozen=True, slots=True)
class Rewording:
    """Puts stored sentences into another language.

    wordings: those that it knows; the first that fits counts. translate: a text of the catalogue, its plural or "", and
    its number, to the text there. count: writes a number.
    """

    wordings: Sequence[MessageWording]
    translate: Callable[[str, str, int], str]
    count: Callable[[int], str]

    def text(self, stored: str) -> str:
        """The text in the other language; unchanged where a part of it has no wording."""
        return self._text(stored) or stored

    def _text(self, stored: str) -> str | None:
        return self._wording(stored) or self._counts(stored) or self._in_two(stored)

    def _wording(self, stored: str) -> str | None:
        for wording in self.wordings:
            if (values := wording.values(stored)) is not None:
                number = int(values.get("number", "1").replace(",", ""))
                shown = {name: self._value(name, value) for name, value in values.items()}
                return self.translate(wording.text, wording.plural, number).format(**shown)
        return None

    def _counts(self, stored: str) -> str | None:
        return self._list(stored) if re.fullmatch(_VALUES["counts"], stored) else None

    def _in_two(self, stored: str) -> str | None:
        """Two sentences or two counts, each with a wording."""
        for found in _BETWEEN.finditer(stored):
            first = self._wording(stored[: found.start()])
            if first and (rest := self._text(stored[found.end() :])):
                return f"{first}{found[0]}{rest}"
        return None

    def _value(self, name: str, value: str) -> str:
        if name in ("number", "most"):
            return self.count(int(value.replace(",", "")))
        if name in _PHRASES:
            return self._wording(value) or value
        if name == "mode":
            return self._wording(value.capitalize()) or value
        return self._list(value) if name in _LISTS else value

    def _list(self, value: str) -> str:
        parts = [self._wording(part) or part for part in re.split(", | and ", value)]
        if len(parts) == 1:
            return parts[0]
        return self.translate(AND.text, "", 1).format(first=", ".join(parts[:-1]), second=parts[-1])
