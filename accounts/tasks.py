"""Queued jobs of accounts. Each mail is written when it is sent, so that its link is as new as the mail.

A mail that fails stays in the queue and is tried again (Q_CLUSTER), three times in all.
"""

from django.contrib.auth.models import User
from django.utils import translation

from accounts import mails
from accounts.links import BadLink, new_address_of
from accounts.models import Invitation
from accounts.own_retention import own_turns_expire
from accounts.services import account_with


def mail_sign_up(email: str, site: str, language: str) -> str:
    """Send the link to sign up, or, to an address with an account, where to sign in."""
    with translation.override(language):
        if user := account_with(email):
            mails.known_address_mail(user, site)
        else:
            mails.sign_up_mail(email, site)
    return "1 mail sent"


def mail_reset(email: str, site: str, language: str) -> str:
    """Send a link to choose a new password to every active account with this address; none to an unknown one."""
    users = list(User.objects.filter(email__iexact=email, is_active=True)) if email else []
    with translation.override(language):
        for user in users:
            (mails.reset_mail if user.has_usable_password() else mails.no_password_mail)(user, site)
    return f"{len(users)} mails sent"


def mail_new_address(token: str, site: str, language: str) -> str:
    """Send the link that confirms a new address, and tell the one until now; nothing where an account has it."""
    try:
        user, email = new_address_of(token)
    except BadLink:
        return "no mail sent: the account has changed since"
    if account_with(email):
        return "no mail sent: an account has this address"
    with translation.override(language):
        mails.new_address_mail(user, email, site)
        if user.email:
            mails.old_address_mail(user, email, site)
    return "the mails of a new address sent"


def mail_invitation(invitation_id: str, site: str, language: str) -> str:
    """Send an invitation, unless it was used or withdrawn meanwhile."""
    invitation = Invitation.objects.filter(pk=invitation_id).first()
    if invitation is None or not invitation.is_open:
        return "no mail sent: the invitation is not open any more"
    with translation.override(language):
        mails.invitation_mail(invitation, site)
    return "1 mail sent"


def expire_own_turns() -> str:
    """Delete what readers chose not to keep."""
    return f"{own_turns_expire()} turns deleted that their readers did not keep"
