"""From a request or a socket to the Viewer: who owns what, and which collections they may be shown."""

import hashlib

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from chat.domain.viewer import Viewer
from corpus.models import Collection


def viewer_of(user: AbstractBaseUser | AnonymousUser, session_key: str | None, scope: str | None = None) -> Viewer:
    """Return the viewer for an account or an anonymous session; `scope` narrows to one collection's key.

    A scope the reader may not know of gives no collections, exactly as one that does not exist.
    """
    visible = list(Collection.objects.visible_to(user).order_by("pk").values_list("pk", "key"))
    collections = tuple(pk for pk, key in visible if not scope or key == scope)
    elsewhere = tuple(pk for pk, _ in visible if pk not in collections) if collections else ()
    sees_all = not Collection.objects.exclude(pk__in=collections).exists()
    if user.is_authenticated:
        return Viewer(user.pk, "", collections, sees_all, elsewhere)
    visitor = hashlib.sha256(session_key.encode()).hexdigest() if session_key else ""
    return Viewer(None, visitor, collections, sees_all, elsewhere)
