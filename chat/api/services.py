"""API tokens: made, shown once, found by their hash, and revoked; and the end of the record of tool calls."""

import hashlib
import secrets
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q
from django.utils import timezone

from chat.api.models import Token, ToolCall

PREFIX = "lectorium_"  # so that a scanner of code knows a leaked one
RANDOM_BYTES = 32  # nobody guesses one, so a plain hash hides it
ACCESS_ORDER = (Token.Access.READ, Token.Access.DRAFT, Token.Access.PUBLISH)  # each covers those before it
USED_EVERY = timedelta(minutes=1)  # at most so often is it written down that a token is in use


def token_create(*, owner: AbstractBaseUser, name: str, access: str = Token.Access.READ) -> tuple[Token, str]:
    """Make a token; return its row and its secret, which is not stored."""
    secret = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    return Token.objects.create(owner_id=owner.pk, name=name, access=access, digest=_digest(secret.encode())), secret


def token_use(secret: bytes) -> Token | None:
    """The token of this secret, with its owner; None if it is unknown or revoked, or the account is closed."""
    usable = Token.objects.filter(revoked_at=None, owner__is_active=True)
    token = usable.select_related("owner").filter(digest=_digest(secret)).first()
    if token:
        now = timezone.now()
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
        Token.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def access_covers(access: str, needed: str) -> bool:
    return ACCESS_ORDER.index(Token.Access(access)) >= ACCESS_ORDER.index(Token.Access(needed))


def token_revoke(*, token_id: UUID) -> bool:
    """Revoke a token from its next request on; False where there is no valid one."""
    return bool(Token.objects.filter(pk=token_id, revoked_at=None).update(revoked_at=timezone.now()))


def tool_calls_expire() -> int:
    """Delete the calls of tools older than LECTORIUM_RETENTION_DAYS, none where that is 0; return how many."""
    if not settings.RETENTION_DAYS:
        return 0
    before = timezone.now() - timedelta(days=settings.RETENTION_DAYS)
    return ToolCall.objects.filter(created_at__lt=before).delete()[0]


def _digest(secret: bytes) -> str:
    return hashlib.sha256(secret).hexdigest()
