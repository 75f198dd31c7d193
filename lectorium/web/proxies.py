"""Who sent what a proxy hands on."""

from ipaddress import ip_address

from django.conf import settings


def sender(remote: str | None, forwarded: str) -> str | None:
    """Return the address that a request comes from, as the last proxy tells it that we trust; None where unknown.

    remote: the other end of the connection. forwarded: X-Forwarded-For, of which only what trusted proxies appended
    counts: anybody can send the rest.
    """
    address = remote or None
    hops = [hop.strip() for hop in forwarded.split(",")]
    while hops and _is_trusted(address):
        hop = hops.pop()
        if not _is_address(hop):
            break
        address = hop
    return address


def _is_trusted(address: str | None) -> bool:
    return address is not None and any(ip_address(address) in network for network in settings.TRUSTED_PROXIES)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
