"""Range requests (RFC 9110, section 14)."""

import re
from dataclasses import dataclass

_RANGE = re.compile(r"bytes=\s*(\d*)-(\d*)\s*", re.ASCII | re.IGNORECASE)
_DIGITS_AT_MOST = 18


class RangeNotSatisfiableError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class ByteRange:
    """Bytes `first` to `last`, inclusive, from 0."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1


def parse_byte_range(header: str, size: int) -> ByteRange | None:
    """The requested part of a file of `size` bytes; None to send the whole file.

    Malformed headers and multiple ranges are ignored, as the RFC allows. Raises RangeNotSatisfiableError.
    """
    match = _RANGE.fullmatch(header)
    if not match or match[1] == match[2] == "" or max(len(match[1]), len(match[2])) > _DIGITS_AT_MOST:
        return None
    first, last = _ends(match[1], match[2], size)
    if match[1] and match[2] and int(match[2]) < int(match[1]):
        return None
    if first >= size or first > last:
        raise RangeNotSatisfiableError(header)
    return ByteRange(first, last)


def _ends(first: str, last: str, size: int) -> tuple[int, int]:
    if not first:  # the last n bytes
        return (max(0, size - int(last)), size - 1) if int(last) else (size, size - 1)
    return int(first), min(int(last), size - 1) if last else size - 1
