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
    parts = urlsplit(url)
    if not _NAME.fullmatch(name) or name in RESERVED:
        message = f"{name!r} cannot name a service: use small letters, digits and _, and not {', '.join(RESERVED)}"
        raise ValueError(message)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        message = f"the address of {name} must begin with http:// or https:// and name a host"
        raise ValueError(message)
    if parts.username or parts.password or parts.query:
        message = f"the address of {name} carries a secret or a query: the key has a variable of its own"
        raise ValueError(message)
    return Endpoint(name, url.rstrip("/"), key)
