"""Where a page of a list ends: the last row's place in the order, as an opaque text for an address."""

import base64
import json
from typing import NamedTuple

MOST_CHARS = 2000


class ListPosition(NamedTuple):
    """value: of the field that orders the list, as text. key: of the row, which decides between equal values."""

    value: str
    key: str


def cursor_of(position: ListPosition) -> str:
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")


def position_of(cursor: str) -> ListPosition:
    """The position in a cursor. Raises ValueError for a text that `cursor_of` does not give."""
    if len(cursor) > MOST_CHARS:
        raise ValueError("The cursor is too long.")
    padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
    read = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    if not (isinstance(read, list) and len(read) == 2 and all(isinstance(part, str) for part in read)):
        raise ValueError("The cursor does not hold a position.")
    return ListPosition(*read)
