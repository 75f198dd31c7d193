"""What was fed to a stream parser and not read yet. A question the text cannot answer yet raises NeedMore.

A parser that asks only through this window gives the same output however the stream is cut: it decides on what it has
seen, and where it has not seen enough it waits.
"""

import re


class NeedMore(Exception):
    """The text so far does not decide; feed more, or end the stream."""


class Window:
    """Unread text, and whether more may come."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        self.ended = False

    def feed(self, text: str) -> None:
        self.text = self.text[self.at :] + text
        self.at = 0

    @property
    def unread(self) -> bool:
        return self.at < len(self.text)

    def char(self, offset: int = 0) -> str:
        """Return the character at `offset` from here, "" beyond the end of the stream."""
        position = self.at + offset
        if position < len(self.text):
            return self.text[position]
        if self.ended:
            return ""
        raise NeedMore

    def take(self, length: int) -> str:
        """Read `length` characters."""
        taken = self.text[self.at : self.at + length]
        self.at += length
        return taken

    def run(self, pattern: re.Pattern[str], offset: int = 0, limit: int = 2000) -> int:
        """Return the length of the run of one character class from `offset`, at most `limit`, once its end is seen."""
        start = self.at + offset
        found = pattern.match(self.text, start, start + limit)
        length = found.end() - start if found else 0
        if start + length >= len(self.text) and length < limit and not self.ended:
            raise NeedMore
        return length

    def find(self, stops: re.Pattern[str], offset: int, limit: int) -> int | None:
        """Return how far from here the next of `stops` is, None where it is not within `limit` characters."""
        found = stops.search(self.text, self.at + offset, self.at + offset + limit)
        if found:
            return found.start() - self.at
        if not self.ended and len(self.text) - self.at - offset < limit:
            raise NeedMore
        return None

    def ahead(self, length: int) -> str:
        """Return the next `length` characters, or those up to the end of the line or of the stream."""
        line, newline, _ = self.text[self.at : self.at + length].partition("\n")
        if len(line) < length and not newline and not self.ended:
            raise NeedMore
        return line
