"""An HTTP service: its address, and the key sent in the request's header."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LIAR = "hostile"  # writes known falsehoods, to test the checks
RESERVED = ("builtin", "local", "scripted", LIAR)
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`url` is the base before "/chat/completions" or "/rerank", e.g. http://127.0.0.1:8001/v1."""

    name: str
    url: str
    key: str = field(default="", repr=False)

    def masked(self, said: str) -> str:
        """The text with the key masked."""
        return said.replace(self.key, "•••") if self.key else said


def endpoint_of(name: str, url: str, key: str = "") -> Endpoint:
    """A checked endpoint. Raises ValueError for an invalid name or address."""
    if not _NAME.fullmatch(name) or name in RESERVED:  # the name may be part of a secret, so it is not repeated
        message = f"that cannot name a service: use lower-case letters, digits and _, and not {', '.join(RESERVED)}"
        raise ValueError(message)
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        message = f"the address of {name} cannot be read: is the port a number, and are its signs percent-encoded?"
        raise ValueError(message) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        message = f"the address of {name} must begin with http:// or https:// and name a host"
        raise ValueError(message)
    if "@" in url or parts.query:
        message = f"the address of {name} contains a secret or a query: the key has its own variable"
        raise ValueError(message)
    return Endpoint(name, url.rstrip("/"), key)
