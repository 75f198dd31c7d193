"""The text fed to a stream parser that it has not read yet.

A parser that reads only through this window gives the same output for any split of the stream: NeedMore makes it wait
until the text decides.
"""

import re


class NeedMore(Exception):
    """The text so far is ambiguous; feed more text or end the stream."""


class Window:
    """Unread text. ended: no more text will come."""

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
        """The character at `offset` from here; "" beyond the end of the stream. Raises NeedMore."""
        position = self.at + offset
        if position < len(self.text):
            return self.text[position]
        if self.ended:
            return ""
        raise NeedMore

    def read(self, length: int) -> str:
        text = self.text[self.at : self.at + length]
        self.at += length
        return text

    def run(self, pattern: re.Pattern[str], offset: int = 0, limit: int = 2000) -> int:
        """The length, up to `limit`, of the run of `pattern` from `offset`. Raises NeedMore while it may grow."""
        start = self.at + offset
        found = pattern.match(self.text, start, start + limit)
        length = found.end() - start if found else 0
        if start + length >= len(self.text) and length < limit and not self.ended:
            raise NeedMore
        return length

    def find(self, stops: re.Pattern[str], offset: int, limit: int) -> int | None:
        """The distance to the next match of `stops`; None if none is within `limit` characters. Raises NeedMore."""
        found = stops.search(self.text, self.at + offset, self.at + offset + limit)
        if found:
            return found.start() - self.at
        if not self.ended and len(self.text) - self.at - offset < limit:
            raise NeedMore
        return None

    def ahead(self, length: int) -> str:
        """The next `length` characters, or fewer at the end of the line or of the stream. Raises NeedMore."""
        line, newline, _ = self.text[self.at : self.at + length].partition("\n")
        if len(line) < length and not newline and not self.ended:
            raise NeedMore
        return line
