"""Origins of other sites, as browsers write them in `location.origin`."""

import re
from collections.abc import Iterable

_ORIGIN = re.compile(r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


def site_origin(text: str) -> str | None:
    """`text` as a browser writes the origin, without a default port; None where it is none, e.g. with a path or a *."""
    match = _ORIGIN.fullmatch(text.lower())
    if not match or int(match[3] or 0) > 65535:
        return None
    scheme, host, port = match.groups()
    return f"{scheme}://{host}" + (f":{int(port)}" if port and port != _DEFAULT_PORTS[scheme] else "")


def site_origins(words: Iterable[str]) -> list[str]:
    """Each word as an origin, once. Raises ValueError with a sentence about a word that is none."""
    found = {word: site_origin(word) for word in words}
    if bad := next((word for word, origin in found.items() if not origin), None):
        raise ValueError(f"{bad!r} is not the origin of a site, such as https://lectures.example.org, without a path")
    return list(dict.fromkeys(filter(None, found.values())))
