"""Jobs of the site itself, safe to run twice."""

from importlib import import_module

from django.conf import settings


def forget_sessions() -> str:
    """Delete expired sessions, as every visit without a cookie leaves; return one line for the job's record."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return "ended sessions deleted"
