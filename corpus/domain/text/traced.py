"""Text that tracks where each character stood in its source, through every edit."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from .spans import within

_UNSTORABLE = {0: "\u2400", **dict.fromkeys(range(0xD800, 0xE000), "\ufffd")}


@dataclass(frozen=True, slots=True)
class TracedPiece:
    """Characters [start, end) stood at [source_start, source_end) of the source.

    Pieces of equal length map character by character; otherwise only the whole corresponds.
    """

    start: int
    end: int
    source_start: int
    source_end: int

    @property
    def is_even(self) -> bool:
        return self.end - self.start == self.source_end - self.source_start

    def moved(self, by: int) -> "TracedPiece":
        return TracedPiece(self.start + by, self.end + by, self.source_start, self.source_end)

    def clipped(self, start: int, end: int) -> "TracedPiece":
        """The part within [start, end); an uneven piece keeps its whole source."""
        first, last = max(self.start, start), min(self.end, end)
        if not self.is_even:
            return TracedPiece(first, last, self.source_start, self.source_end)
        by = self.source_start - self.start
        return TracedPiece(first, last, first + by, last + by)


@dataclass(frozen=True, slots=True)
class TracedText:
    """A text and the pieces of its source, in order. Characters without a piece were added."""

    text: str
    pieces: tuple[TracedPiece, ...] = ()

    def cut(self, start: int, end: int) -> "TracedText":
        if (start, end) == (0, len(self.text)):
            return self
        if start >= end:
            return TracedText("")
        return TracedText(
            self.text[start:end], tuple(p.clipped(start, end).moved(-start) for p in within(self.pieces, start, end))
        )

    def stripped(self) -> "TracedText":
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, max(start, len(self.text.rstrip())))

    def replaced(self, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> "TracedText":
        edits = ((match, new) for match in pattern.finditer(self.text) if (new := by(match)) != match[0])
        first = next(edits, None)
        return joined(self._edited(chain((first,), edits))) if first else self

    def _edited(self, edits: "Iterable[tuple[re.Match[str], str]]") -> "Iterator[TracedText]":
        """The parts of the edited text, one at a time: a text may have a million edits."""
        last = 0
        for match, new in edits:
            yield self.cut(last, match.start())
            yield self._instead(match, new)
            last = match.end()
        yield self.cut(last, len(self.text))

    def split(self, pattern: re.Pattern[str]) -> "list[TracedText]":
        parts, last = [], 0
        for match in pattern.finditer(self.text):
            parts.append(self.cut(last, match.start()))
            last = match.end()
        return [*parts, self.cut(last, len(self.text))]

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the characters [start, end) stood in the source; None where all were added."""
        clipped = [piece.clipped(start, end) for piece in within(self.pieces, start, end)]
        if not clipped:
            return None
        return min(piece.source_start for piece in clipped), max(piece.source_end for piece in clipped)

    def source_in(self, source: str) -> str:
        """The stretch of `source` this text comes from, storable; "" where it equals the text."""
        span = self.source_span(0, len(self.text))
        stretch = source[slice(*span)] if span else self.text
        return "" if stretch == self.text else storable(stretch)

    def _instead(self, match: re.Match[str], new: str) -> "TracedText":
        """`new`, whose common prefix and suffix with the match keep their source offsets."""
        old = match[0]
        lead = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        room = min(len(old), len(new)) - lead
        backward = zip(reversed(old), reversed(new), strict=False)
        tail = min(room, next((n for n, (a, b) in enumerate(backward) if a != b), room))
        span = self.source_span(match.start() + lead, match.end() - tail)
        middle = new[lead : len(new) - tail]
        pieces = _block(len(middle), span) if span else ()
        return joined(
            [
                self.cut(match.start(), match.start() + lead),
                TracedText(middle, pieces),
                self.cut(match.end() - tail, match.end()),
            ]
        )


def whole(text: str, at: int = 0) -> TracedText:
    """A text that equals its source from offset `at`."""
    return TracedText(text, (TracedPiece(0, len(text), at, at + len(text)),) if text else ())


def joined(parts: Iterable[TracedText], by: str = "") -> TracedText:
    texts: list[str] = []
    pieces: list[TracedPiece] = []
    position = 0
    for part in parts:
        position += len(by) if texts else 0
        for piece in part.pieces:
            _append(pieces, piece.moved(position))
        texts.append(part.text)
        position += len(part.text)
    return TracedText(by.join(texts), tuple(pieces))


def storable(text: str) -> str:
    """`text` with characters that PostgreSQL rejects replaced one for one."""
    return text.translate(_UNSTORABLE)


def _block(length: int, span: tuple[int, int]) -> tuple[TracedPiece, ...]:
    """Pieces that map to a span as a whole, even if of the same length."""
    if length > 1 and length == span[1] - span[0]:
        return tuple(TracedPiece(n, n + 1, *span) for n in range(length))
    return (TracedPiece(0, length, *span),) if length else ()


def _append(pieces: list[TracedPiece], piece: TracedPiece) -> None:
    """Append a piece, merging it with an adjacent even one."""
    before = pieces[-1] if pieces else None
    touching = before and (before.end, before.source_end) == (piece.start, piece.source_start)
    if before and touching and before.is_even and piece.is_even:
        pieces[-1] = TracedPiece(before.start, piece.end, before.source_start, piece.source_end)
    else:
        pieces.append(piece)
