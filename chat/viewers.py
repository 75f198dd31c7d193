"""From a request or a socket to the Viewer: who owns what, and which collections they may be shown."""

import hashlib

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from chat.domain.viewer import Viewer
from corpus.models import Collection


def viewer_of(user: AbstractBaseUser | AnonymousUser, session_key: str | None, scope: str | None = None) -> Viewer:
    """Return the viewer for an account or an anonymous session; `scope` narrows to one collection's key.

    A scope the reader may not know of gives no collections, exactly as one that does not exist.
    """
    visible = Collection.objects.visible_to(user)
    if scope:
        visible = visible.filter(key=scope)
    collections = tuple(visible.order_by("pk").values_list("pk", flat=True))
    sees_all = not Collection.objects.exclude(pk__in=collections).exists()
    if user.is_authenticated:
        return Viewer(user_id=user.pk, collections=collections, sees_all=sees_all)
    visitor = hashlib.sha256(session_key.encode()).hexdigest() if session_key else ""
    return Viewer(visitor=visitor, collections=collections, sees_all=sees_all)
