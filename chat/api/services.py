"""API tokens: made, shown once, found by their hash, and revoked."""

import hashlib
import secrets
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q
from django.utils import timezone

from chat.api.models import Token

PREFIX = "lectorium_"  # so that a scanner of code knows a leaked one
RANDOM_BYTES = 32  # nobody guesses one, so a plain hash hides it
USED_EVERY = timedelta(minutes=1)  # at most so often is it written down that a token is in use


def token_create(*, owner: AbstractBaseUser, name: str) -> tuple[Token, str]:
    """Make a token; return its row and its secret, which is not stored."""
    secret = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    return Token.objects.create(owner_id=owner.pk, name=name, digest=_digest(secret.encode())), secret


def token_use(secret: bytes) -> Token | None:
    """The token of this secret, with its owner; None if it is unknown or revoked, or the account is closed."""
    usable = Token.objects.filter(revoked_at=None, owner__is_active=True)
    token = usable.select_related("owner").filter(digest=_digest(secret)).first()
    if token:
        now = timezone.now()
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
        Token.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def token_revoke(*, token_id: UUID) -> bool:
    """Revoke a token from its next request on; False where there is no valid one."""
    return bool(Token.objects.filter(pk=token_id, revoked_at=None).update(revoked_at=timezone.now()))


def _digest(secret: bytes) -> str:
    return hashlib.sha256(secret).hexdigest()
