"""Who asked, for audits and exports: the same for all turns of a reader, and nobody's name."""

from django.utils.crypto import salted_hmac

DIGITS = 24


def asker_of(user_id: int | None, visitor: str) -> str:
    """Return the pseudonym of an account or of an anonymous visitor, "" for neither (the command line).

    A hash keyed by the site's secret: who has only the rows cannot tell whose they are, nor try names out. Another
    secret gives everybody another pseudonym.
    """
    if user_id is None and not visitor:
        return ""
    who = f"visitor {visitor}" if user_id is None else f"account {user_id}"
    return salted_hmac("lectorium.audit.asker", who, algorithm="sha256").hexdigest()[:DIGITS]
