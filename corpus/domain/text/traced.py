"""Text that knows where in its source each of its characters stood, through every change that is made to it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .spans import within

_UNSTORABLE = {0: "\u2400", **dict.fromkeys(range(0xD800, 0xE000), "\ufffd")}


@dataclass(frozen=True, slots=True)
class TracedPiece:
    """Characters [start, end) stood at [source_start, source_end) of the source.

    Of equal length, one by one; otherwise only the whole corresponds.
    """

    start: int
    end: int
    source_start: int
    source_end: int

    @property
    def is_even(self) -> bool:
        return self.end - self.start == self.source_end - self.source_start

    def moved(self, by: int, source_by: int = 0) -> "TracedPiece":
        return TracedPiece(self.start + by, self.end + by, self.source_start + source_by, self.source_end + source_by)

    def clipped(self, start: int, end: int) -> "TracedPiece":
        """Return the part within [start, end); one that is not even keeps all of its source."""
        first, last = max(self.start, start), min(self.end, end)
        if not self.is_even:
            return TracedPiece(first, last, self.source_start, self.source_end)
        by = self.source_start - self.start
        return TracedPiece(first, last, first + by, last + by)


@dataclass(frozen=True, slots=True)
class TracedText:
    """A text and the pieces of its source it is made of, in order. Characters without a piece were added."""

    text: str
    pieces: tuple[TracedPiece, ...] = ()

    def cut(self, start: int, end: int) -> "TracedText":
        """Return the characters [start, end)."""
        if (start, end) == (0, len(self.text)):
            return self
        if start >= end:
            return TracedText("")
        return TracedText(
            self.text[start:end], tuple(p.clipped(start, end).moved(-start) for p in within(self.pieces, start, end))
        )

    def stripped(self) -> "TracedText":
        """Return the text without white space around it."""
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, max(start, len(self.text.rstrip())))

    def replaced(self, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> "TracedText":
        """Return the text with each match replaced by what `by` makes of it."""
        parts, last = [], 0
        for match in pattern.finditer(self.text):
            new = by(match)
            if new == match[0]:
                continue
            parts += [self.cut(last, match.start()), self._instead(match, new)]
            last = match.end()
        return joined([*parts, self.cut(last, len(self.text))]) if parts else self

    def split(self, pattern: re.Pattern[str]) -> "list[TracedText]":
        """Return what lies between the matches."""
        parts, last = [], 0
        for match in pattern.finditer(self.text):
            parts.append(self.cut(last, match.start()))
            last = match.end()
        return [*parts, self.cut(last, len(self.text))]

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where the characters [start, end) stood in the source, None where all of them were added."""
        clipped = [piece.clipped(start, end) for piece in within(self.pieces, start, end)]
        if not clipped:
            return None
        return min(piece.source_start for piece in clipped), max(piece.source_end for piece in clipped)

    def within(self, source: str) -> "tuple[str, tuple[TracedPiece, ...]]":
        """Return the stretch of `source` this text was made of, storable, and the pieces counted from its start.

        Both are empty where the text is its own source, letter by letter.
        """
        span = self.source_span(0, len(self.text))
        if span is None or source[slice(*span)] == self.text:
            return "", ()
        return storable(source[slice(*span)]), tuple(piece.moved(0, -span[0]) for piece in self.pieces)

    def _instead(self, match: re.Match[str], new: str) -> "TracedText":
        """Return `new`; what it begins and ends with like the match stands for those same characters."""
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
    """Return a text that stands in its source as it is, from `at` on."""
    return TracedText(text, (TracedPiece(0, len(text), at, at + len(text)),) if text else ())


def joined(parts: Iterable[TracedText], by: str = "") -> TracedText:
    """Return the parts with `by` between them."""
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


def source_span_of(rows: Iterable[Iterable[int]], start: int, end: int) -> tuple[int, int] | None:
    """Return where [start, end) stood in the source, by stored rows of pieces."""
    pieces = tuple(TracedPiece(*row) for row in rows)
    return TracedText(" " * (pieces[-1].end if pieces else 0), pieces).source_span(start, end)


def storable(text: str) -> str:
    """Return `text` without what no database takes, character for character."""
    return text.translate(_UNSTORABLE)


def _block(length: int, span: tuple[int, int]) -> tuple[TracedPiece, ...]:
    """Return the pieces of characters that stand for a span as a whole, also where there are as many as in it."""
    if length > 1 and length == span[1] - span[0]:
        return tuple(TracedPiece(n, n + 1, *span) for n in range(length))
    return (TracedPiece(0, length, *span),) if length else ()


def _append(pieces: list[TracedPiece], piece: TracedPiece) -> None:
    """Add a piece; one that goes on where an even one ends lengthens it."""
    before = pieces[-1] if pieces else None
    touching = before and (before.end, before.source_end) == (piece.start, piece.source_start)
    if before and touching and before.is_even and piece.is_even:
        pieces[-1] = TracedPiece(before.start, piece.end, before.source_start, piece.source_end)
    else:
        pieces.append(piece)
