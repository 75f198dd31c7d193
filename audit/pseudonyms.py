"""Pseudonyms of readers for audits and exports."""

from django.utils.crypto import salted_hmac

DIGITS = 24


def asker_of(user_id: int | None, visitor: str) -> str:
    """The pseudonym of an account or an anonymous visitor; "" for neither (the command line).

    It is a hash keyed by SECRET_KEY, so the rows alone do not identify readers, even by trying names. A new key gives
    every reader a new pseudonym.
    """
    if user_id is None and not visitor:
        return ""
    reader = f"visitor {visitor}" if user_id is None else f"account {user_id}"
    return salted_hmac("lectorium.audit.asker", reader, algorithm="sha256").hexdigest()[:DIGITS]
