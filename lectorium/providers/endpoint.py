"""A service behind HTTP: where it is, and the key that only the request's header carries."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LIAR = "hostile"  # writes known falsehoods, for trials of the checks
RESERVED = ("builtin", "local", "scripted", LIAR)
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`url` is the base that "/chat/completions" or "/rerank" follows, e.g. http://127.0.0.1:8001/v1."""

    name: str
    url: str
    key: str = field(default="", repr=False)

    def masked(self, said: str) -> str:
        """Return what the service said with its key out of sight."""
        return said.replace(self.key, "•••") if self.key else said


def endpoint_of(name: str, url: str, key: str = "") -> Endpoint:
    """Return the service. Raises ValueError, saying what is wrong with its name or address."""
    if not _NAME.fullmatch(name) or name in RESERVED:  # which may be a piece of a secret, so it is not repeated
        message = f"that cannot name a service: use small letters, digits and _, and not {', '.join(RESERVED)}"
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
        message = f"the address of {name} carries a secret or a query: the key has a variable of its own"
        raise ValueError(message)
    return Endpoint(name, url.rstrip("/"), key)
