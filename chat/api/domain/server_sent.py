"""Server-sent events: the text of one event."""

import json
from collections.abc import Mapping
from typing import Any

KEEP_ALIVE = b": keep-alive\n\n"
DONE = b"data: [DONE]\n\n"


def event_text(event: Mapping[str, Any]) -> bytes:
    """An event of a turn; its id is its number in the turn, which a fault of the connection has not."""
    number = f"id: {event['seq']}\n" if event.get("seq") else ""
    return f"{number}event: {event['type']}\n".encode() + data_text(event)


def data_text(values: Mapping[str, Any]) -> bytes:
    """Values without a type and a number. JSON has no line breaks of its own, so it is one line."""
    return f"data: {json.dumps(values, ensure_ascii=False)}\n\n".encode()
