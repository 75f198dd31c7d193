from ipaddress import ip_address

from django.conf import settings


def sender(remote: str | None, forwarded: str) -> str | None:
    """The client's address as reported by trusted proxies; None if unknown.

    remote: the other end of the connection. forwarded: X-Forwarded-For, of which only the entries that trusted proxies
    appended count, since a client can send the others.
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
