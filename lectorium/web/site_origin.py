"""Origins of other sites, as browsers write them in `location.origin`."""

import re

_ORIGIN = re.compile(r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


def site_origin(text: str) -> str | None:
    """`text` as a browser writes the origin, without a default port; None where it is none, e.g. with a path or a *."""
    match = _ORIGIN.fullmatch(text.lower())
    if not match or int(match[3] or 0) > 65535:
        return None
    scheme, host, port = match.groups()
    return f"{scheme}://{host}" + (f":{int(port)}" if port and port != _DEFAULT_PORTS[scheme] else "")
