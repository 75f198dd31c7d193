"""A text of the catalogue in a reader's language."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST_LOCALES = 8  # of a header that are looked at


@dataclass(frozen=True, slots=True)
class LocalText:
    """A text for a reader. origin: "" for the source itself, otherwise machine or reviewed."""

    text: str
    language: str
    origin: str = ""

    @property
    def is_translation(self) -> bool:
        return bool(self.origin)

    @property
    def is_machine(self) -> bool:
        return self.origin == "machine"


def accepted_languages(header: str) -> tuple[str, ...]:
    """The languages of an Accept-Language header, the most wanted first. What cannot be read is left out."""
    found = []
    for place, item in enumerate(header.split(",")[: 2 * MOST_LOCALES]):
        code, _, weight = (part.strip().lower() for part in item.partition(";"))
        number = weight.removeprefix("q=")
        wanted = float(number) if number.replace(".", "", 1).isdecimal() else 0.0 if weight else 1.0
        if wanted > 0 and code.replace("-", "").isalnum():
            found.append((-wanted, place, code))
    return tuple(code for _, _, code in sorted(found))[:MOST_LOCALES]


def wanted_languages(chosen: str, header: str) -> tuple[str, ...]:
    """The language chosen for the interface, "" for none, and those of an Accept-Language header after it."""
    return tuple(dict.fromkeys(filter(None, (chosen, *accepted_languages(header)))))


def first_local(
    source: LocalText, wanted: Sequence[str], same: Callable[[str, str], bool], known: Callable[[str], LocalText | None]
) -> LocalText:
    """The text in the first wanted language that it is written in or translated into; otherwise the source.

    same: whether two codes are one language. known: the translation for a language that may be shown, or None.
    """
    for language in wanted:
        if same(source.language, language):
            return source
        if found := known(language):
            return found
    return source
