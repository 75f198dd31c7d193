"""The account or session behind a connection, looked up again for every message."""

import hmac
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from chat.answering.domain.viewer import Viewer
from chat.conversations.viewers import viewer_of
from chat.live.budgets import ACCOUNT
from corpus.domain.local_text import wanted_languages
from lectorium.web.proxies import sender


@dataclass(frozen=True, slots=True)
class Visitor:
    """An account or an anonymous session."""

    user: AbstractBaseUser | AnonymousUser
    session_key: str

    @property
    def user_id(self) -> int | None:
        return self.user.pk

    @property
    def counted_as(self) -> str:
        """An account's sessions are counted together, and with its questions over the API."""
        return f"{ACCOUNT}{self.user_id}" if self.user_id else self.session_key

    def viewer(self, scope: str | None = None) -> Viewer:
        """Return what this visitor owns and may see now; `scope` narrows."""
        return viewer_of(self.user, self.session_key, scope)


def visitor_of(key: str | None) -> Visitor | None:
    """Return the visitor of a session key as the session stands now; None where there is none or it may not chat."""
    if not key:
        return None
    store = import_module(settings.SESSION_ENGINE).SessionStore(key)
    if not store.exists(key):
        return None
    user = _user(store)
    if store.session_key != key:  # the session exists but has expired
        return None
    if not user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return None
    return Visitor(user, key)


def address_of(scope: dict[str, Any]) -> str:
    """Return the network address of a connection, "" where it has none."""
    forwarded = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin-1")
    remote, *_ = scope.get("client") or [""]
    return sender(remote, forwarded) or ""


def languages_of(scope: dict[str, Any]) -> tuple[str, ...]:
    """The languages that a connection's reader asks for, the most wanted first, as `languages_of` a request."""
    chosen = scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, "")
    header = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    return wanted_languages(chosen if chosen in dict(settings.LANGUAGES) else "", header)


def _user(session: Any) -> AbstractBaseUser | AnonymousUser:
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return AnonymousUser()
    user = get_user_model().objects.filter(pk=session[SESSION_KEY], is_active=True).first()
    if user is None or not hmac.compare_digest(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
        return AnonymousUser()
    return user
