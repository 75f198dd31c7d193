"""Cleans text for storage, comparison and quotation, keeping track of source offsets."""

import re
import unicodedata
from functools import cache
from itertools import groupby

from .traced import TracedText, joined, whole

PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_SPACES = re.compile(r"\s+")
_CLEAN = re.compile(r"(?:[!-~]+(?: [!-~]+)*)?")  # fast path for most names and addresses
_LINES = re.compile(r"\n")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\u0085\f\v]")
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_JOINERS = "\u200c\u200d"
# Blocks without hidden characters: such text skips the check of each character.
_MAYBE_HIDDEN = re.compile(
    "[^\\x20-\\x7e\\xa0-\\xac\\xae-\\u024f\\u0300-\\u036f\\u0900-\\u097f\\u1e00-\\u1eff\\u2010-\\u2027\\u2030-\\u205e]"
)
# A character and its combining characters; composition never crosses an ASCII character.
_CLUSTER = re.compile(r"[\x21-\x7e]?[^\t-\r\x20-\x7e]+")
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>")
MARKS_MAX = 30  # on one letter, as in Unicode's stream-safe format; to sort n of them takes n² steps
_MARKS = "".join(mark for mark in map(chr, range(0x300, 0x1E950)) if unicodedata.combining(mark))
_SURPLUS = re.compile(f"(?<=[{_MARKS}]{{{MARKS_MAX}}})[{_MARKS}]+")
_WINDOW = 4096  # characters normalised together where only the length is wanted


def clean(text: str) -> str:
    """One paragraph in NFKC, single-spaced, without control and invisible characters. Idempotent.

    Superscripts, subscripts and fractions keep their form, because NFKC would turn 10² into 102; so do standalone
    accents, which it would split from their word. Soft hyphens, zero-width spaces, byte-order marks, direction marks
    and lone surrogates go, as do marks beyond MARKS_MAX on one letter; joiners stay where Arabic and Indic spelling
    needs them.
    """
    return text if _CLEAN.fullmatch(text) else cleaned(whole(text)).text


def cleaned(text: TracedText) -> TracedText:
    text = text if text.text.isascii() else text.replaced(_SURPLUS, lambda _: "")
    if _MAYBE_HIDDEN.search(text.text) or not unicodedata.is_normalized("NFKC", text.text):
        text = text.replaced(_CLUSTER, lambda match: _visible(match[0]))
    return text.replaced(_SPACES, lambda match: " ").stripped()


def expanded_length(text: str) -> int:
    """About how many characters `text` has in NFKC, where one character can become eighteen."""
    if text.isascii():
        return len(text)
    windows = (text[start : start + _WINDOW] for start in range(0, len(text), _WINDOW))
    return sum(len(unicodedata.normalize("NFKC", window)) for window in windows)


def clean_lines(text: str) -> str:
    """`text` cleaned line by line, so that verse keeps its lines; empty lines go."""
    return lines_cleaned(whole(text)).text


def lines_cleaned(text: TracedText) -> TracedText:
    lines = (cleaned(line) for line in unix(text).split(_LINES))
    return joined([line for line in lines if line.text], "\n")


def paragraphs_of(text: TracedText) -> list[TracedText]:
    """Split plain text at blank lines into cleaned, non-empty paragraphs."""
    return [paragraph for part in unix(text).split(PARAGRAPHS) if (paragraph := cleaned(part)).text]


def unix(text: TracedText) -> TracedText:
    """`text` with LF line ends; a paragraph separator or form feed becomes a blank line."""
    return text.replaced(_LINE_ENDS, lambda match: "\n\n" if match[0] in "\u2029\f" else "\n")


def _visible(text: str) -> str:
    composed = _composed(text)
    kept = "".join(
        c for i, c in enumerate(composed) if not _is_hidden(c) or (c in _JOINERS and _needs_joiner(composed[i - 1 : i]))
    )
    return _composed(kept)


def _composed(text: str) -> str:
    runs = (("".join(run), kept) for kept, run in groupby(text, _keeps_its_form))
    return "".join(run if kept else unicodedata.normalize("NFKC", run) for run, kept in runs)


@cache
def _keeps_its_form(character: str) -> bool:
    form, *into = unicodedata.decomposition(character).split() or ["", ""]
    return form in _KEPT_FORMS or (len(into) > 1 and into[0] == "0020")


def _is_hidden(character: str) -> bool:
    return not character.isspace() and unicodedata.category(character) in _HIDDEN


def _needs_joiner(before: str) -> bool:
    return "\u0600" <= before <= "\u0dff"
