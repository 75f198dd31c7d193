"""Splits a long passage into overlapping windows that a model can read whole."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

QUERY_TOKENS = 96  # of a question or claim per pass, to leave room for the passage

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|vs|No|Jr|Sr|Co|Inc|Ltd|i\.e|e\.g|cf|vol|pp|ca)|\b[A-Z])\.$")
_SET_OFF = r",;:!?…\"“”„«»'‘’()\[\]{}—"  # beside words; so are dashes and full stops, which can also begin a number
_BESIDE = rf"[\w{_SET_OFF}.–-]"
_MARKS = re.compile(rf"(?<!{_BESIDE})(?:[{_SET_OFF}]|[.–-](?!\d))+|[{_SET_OFF}.–-]+(?!{_BESIDE})")


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A text's tokens and their character spans."""

    text: str
    ids: list[int]
    offsets: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """Tokens first..last (exclusive) of a text."""

    first: int
    last: int


def windows(tokens: int, room: int, overlap: int) -> list[TokenWindow]:
    """Cover `tokens` tokens with windows of at most `room`, each overlapping the previous by at least `overlap`.

    No tokens give no window. Raises ValueError unless 0 <= overlap < room.
    """
    if not 0 <= overlap < room:
        message = f"overlap {overlap} must be at least 0 and less than room {room}"
        raise ValueError(message)
    if tokens <= 0:
        return []
    if tokens <= room:
        return [TokenWindow(0, tokens)]
    count = -(-(tokens - overlap) // (room - overlap))
    starts = [round(i * (tokens - room) / (count - 1)) for i in range(count)]
    return [TokenWindow(start, start + room) for start in starts]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Character spans of the sentences, in order, without surrounding white space."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text[start : match.start()]):
            continue
        end = start + len(text[start : match.end()].rstrip())
        if text[start:end].strip():
            spans.append((start, end))
        start = match.end()
    end = len(text.rstrip())
    if text[start:end].strip():
        spans.append((start, end))
    return spans


def statement_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the statements in `text`: its sentences, with a question joined to its answer."""
    spans: list[tuple[int, int]] = []
    asked_at: int | None = None
    for start, end in sentence_spans(text):
        first = start if asked_at is None else asked_at
        asked_at = first if text[start:end].rstrip("\"'”’)]").endswith("?") else None
        if asked_at is None:
            spans.append((first, end))
    return spans if asked_at is None else [*spans, (asked_at, len(text.rstrip()))]


def without_marks(text: str) -> str:
    """The text without punctuation beside words; punctuation within a word or number stays."""
    return _MARKS.sub("", text)


def best_sentence(text: str, offsets: Sequence[tuple[int, int]], weights: Sequence[float]) -> tuple[int, int] | None:
    """The span of the sentence with the highest mean token weight; None without tokens.

    offsets, weights: the character span and weight of each token of `text`, in order.
    """
    best: tuple[float, tuple[int, int]] | None = None
    for start, end in sentence_spans(text):
        inside = [weight for (a, b), weight in zip(offsets, weights, strict=True) if a < end and b > start]
        if inside and (best is None or sum(inside) / len(inside) > best[0]):
            best = (sum(inside) / len(inside), (start, end))
    return best[1] if best else None
