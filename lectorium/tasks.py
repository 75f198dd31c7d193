"""Queued jobs of the site. All are idempotent."""

from importlib import import_module

from django.conf import settings


def forget_sessions() -> str:
    """Delete expired sessions; return a one-line summary."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return "ended sessions deleted"
