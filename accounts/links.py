"""Signed links of mails. They hold what they are for, so that nothing waits in a table until one is opened."""

from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_SIGN_UP = "accounts.sign_up"
_INVITATION = "accounts.invitation"
_NEW_ADDRESS = "accounts.new_address"
SIGN_UP_VALID = timedelta(days=3)


class BadLink(ValueError):
    """A link that makes no account; `status` is the HTTP status, the text tells its holder what to do."""

    def __init__(self, says: str | Promise, status: int) -> None:
        super().__init__(says)
        self.status = status


UNKNOWN = _("This link is not one of ours, or a part of it is missing. Copy it whole from the mail.")
EXPIRED = _("This link has expired. Ask for a new mail.")
SPENT = _("This link was used, or the account has changed since. Ask for a new mail.")


def sign_up_token(email: str) -> str:
    return signing.dumps(email, salt=_SIGN_UP)


def address_of(token: str) -> str:
    """The mail address that a link to sign up was sent to. Raises BadLink."""
    try:
        return str(signing.loads(token, salt=_SIGN_UP, max_age=SIGN_UP_VALID))
    except signing.SignatureExpired:
        raise BadLink(EXPIRED, 410) from None
    except signing.BadSignature:
        raise BadLink(UNKNOWN, 404) from None


def new_address_token(user: User, email: str) -> str:
    """Of a link that works once, and only while the account's password and address are those of now."""
    return signing.dumps([user.pk, email, _state(user)], salt=_NEW_ADDRESS)


def new_address_of(token: str) -> tuple[User, str]:
    """The account that a link was made for, and its new address. Raises BadLink."""
    try:
        key, email, state = signing.loads(token, salt=_NEW_ADDRESS, max_age=SIGN_UP_VALID)
    except signing.SignatureExpired:
        raise BadLink(EXPIRED, 410) from None
    except signing.BadSignature:
        raise BadLink(UNKNOWN, 404) from None
    user = User.objects.filter(pk=key, is_active=True).first()
    if user is None or not constant_time_compare(_state(user), state):
        raise BadLink(SPENT, 410)
    return user, str(email)


def _state(user: User) -> str:
    return salted_hmac(_NEW_ADDRESS, f"{user.password} {user.email}").hexdigest()


def invitation_token(key: UUID) -> str:
    return signing.Signer(salt=_INVITATION).sign(str(key))


def invitation_key_of(token: str) -> UUID:
    """The key of an invitation, which may be used or withdrawn. Raises BadLink."""
    try:
        return UUID(signing.Signer(salt=_INVITATION).unsign(token))
    except signing.BadSignature:
        raise BadLink(UNKNOWN, 404) from None
