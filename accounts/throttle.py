"""Limits the mails that strangers can cause, by receiver and by network. Where nothing can be counted, none is sent."""

from django.conf import settings
from django.http import HttpRequest

from lectorium.web.hourly_counts import count_in_hour
from lectorium.web.lockout import client_address


def may_ask_for_mail(request: HttpRequest) -> bool:
    """Count a request for a mail from this network address."""
    return _is_within(f"account mails from {client_address(request)}", settings.ACCOUNT_MAILS_FROM_A_NETWORK)


def may_be_mailed(email: str) -> bool:
    """Count a mail to this address. The page hides a False: it would tell that somebody asked before."""
    return _is_within(f"account mails to {email.lower()}", settings.ACCOUNT_MAILS_TO_AN_ADDRESS)


def _is_within(what: str, most: int) -> bool:
    count = count_in_hour(what)
    return count is not None and count <= most
