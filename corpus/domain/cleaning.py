"""Making text plain enough to store, compare and quote, without changing a word of it."""

import re
import unicodedata

_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_SPACES = re.compile(r"\s+")
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_JOINERS = "\u200c\u200d"
# Blocks without a hidden character: text wholly of these needs no look at each character.
_MAYBE_HIDDEN = re.compile(
    "[^\\x20-\\x7e\\xa0-\\xac\\xae-\\u024f\\u0300-\\u036f\\u0900-\\u097f\\u1e00-\\u1eff\\u2010-\\u2027\\u2030-\\u205e]"
)


def clean(text: str) -> str:
    """Return one paragraph in composed form (NFC), single-spaced, without control and invisible characters.

    Soft hyphens, zero-width spaces, byte-order marks, direction marks and lone surrogates go; joiners stay where Arabic
    and Indic spelling needs them. Idempotent.
    """
    return _SPACES.sub(" ", _visible(text)).strip()


def clean_lines(text: str) -> str:
    """Return `text` cleaned line by line, so that verse keeps its lines; empty lines go."""
    return "\n".join(line for line in map(clean, _unix(text).split("\n")) if line)


def paragraphs_of(text: str) -> list[str]:
    """Split plain text at blank lines into cleaned paragraphs; empty ones are left out."""
    return [paragraph for paragraph in map(clean, _PARAGRAPHS.split(_unix(text))) if paragraph]


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n\n")


def _visible(text: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    if not _MAYBE_HIDDEN.search(composed):
        return composed
    kept = "".join(
        c for i, c in enumerate(composed) if not _is_hidden(c) or (c in _JOINERS and _needs_joiner(composed[i - 1 : i]))
    )
    return unicodedata.normalize("NFC", kept)


def _is_hidden(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) in _HIDDEN


def _needs_joiner(before: str) -> bool:
    return "\u0600" <= before <= "\u0dff"
