"""Writes accounts: makes them, connects them to a provider, ends their sessions, and deletes them with their data."""

import re
import secrets
from datetime import timedelta
from uuid import UUID

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.links import BadLink
from accounts.models import Invitation, Profile, ProviderIdentity
from chat.conversations.retention import conversations_forget
from chat.models import Conversation

READERS = "reader"  # the group of operations/groups.py
INVITATION_VALID = timedelta(days=14)
USED = _("This link has been used: there is an account with this address. Sign in, or ask for a new password.")
WITHDRAWN = _("This invitation was withdrawn. Ask the person who invited you for a new one.")
INVITATION_EXPIRED = _("This invitation has expired. Ask the person who invited you for a new one.")
USERNAME_MOST = 150


def account_with(email: str) -> User | None:
    return User.objects.filter(email__iexact=email).first() if email else None


@transaction.atomic
def account_create(*, email: str, username: str, password: str | None, invitation: Invitation | None = None) -> User:
    """Make a reader's account for an address that its holder has proved. Raises BadLink where it has one already."""
    _address_claim(email)
    if invitation:
        Invitation.objects.filter(pk=invitation.pk).update(used_at=timezone.now())
    user = User.objects.create_user(username, email, password)
    user.groups.set(Group.objects.filter(name=READERS))
    Profile.objects.create(user=user)
    return user


@transaction.atomic
def account_address_change(*, user: User, email: str) -> None:
    """Give an account an address that its holder has proved. Raises BadLink where an account has it already."""
    _address_claim(email)
    user.email = email
    user.save(update_fields=["email"])


def _address_claim(email: str) -> None:
    """Hold an address until the transaction ends, against a second tab with the same link. Raises BadLink."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"account {email.lower()}"])
    if account_with(email):
        raise BadLink(USED, 410)


def invitation_of(key: UUID) -> Invitation:
    """The invitation that can be used. Raises BadLink."""
    found = Invitation.objects.filter(pk=key).first()
    if found is None:
        raise BadLink(WITHDRAWN, 410)
    if found.used_at or account_with(found.email):
        raise BadLink(USED, 410)
    if not found.is_open:
        raise BadLink(INVITATION_EXPIRED, 410)
    return found


def identity_connect(*, user: User, issuer: str, subject: str) -> None:
    """Let a subject of the provider sign in to an account from now on; one that has an account keeps it."""
    ProviderIdentity.objects.get_or_create(issuer=issuer, subject=subject, defaults={"user": user})


@transaction.atomic
def provider_account_create(*, issuer: str, subject: str, email: str, wanted_name: str) -> User:
    """Make an account for a first sign-in with the provider. email: proved there, "" for none. Raises BadLink."""
    user = account_create(email=email, username=_free_username(wanted_name), password=None)
    identity_connect(user=user, issuer=issuer, subject=subject)
    return user


def sessions_end(*, user_id: int) -> int:
    """Sign an account out in every browser; return how many. Reads every session: Django stores them by key alone."""
    rows = Session.objects.filter(expire_date__gt=timezone.now()).only("session_key", "session_data")
    mine = [row.pk for row in rows.iterator() if row.get_decoded().get(SESSION_KEY) == str(user_id)]
    Session.objects.filter(pk__in=mine).delete()
    return len(mine)


def account_delete(*, user: User) -> None:
    """Delete an account with its conversations, tokens, preferences and sign-in record; all of it or nothing.

    Counts by day, mode and outcome stay, as when turns expire.
    """
    User.objects.filter(pk=user.pk).update(is_active=False)  # committed first, so that no other tab begins a turn
    try:
        with transaction.atomic():
            owned = Conversation.objects.filter(owner_id=user.pk).values_list("pk", flat=True)
            conversations_forget(conversation_ids=list(owned))
            for record in (AccessAttempt, AccessFailureLog, AccessLog):
                record.objects.filter(username=user.get_username()).delete()
            Invitation.objects.filter(email__iexact=user.email).delete()
            user.delete()
    except Exception:
        User.objects.filter(pk=user.pk).update(is_active=True)
        raise


def _free_username(wanted: str) -> str:
    """The name that the provider gives, in the characters of names here, with digits where it is taken."""
    base = re.sub(r"[^\w.@+-]", "", wanted)[: USERNAME_MOST - len("-123456")] or READERS
    name = base
    while User.objects.filter(username__iexact=name).exists():
        name = f"{base}-{secrets.randbelow(10**6):06d}"
    return name
