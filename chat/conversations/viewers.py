"""Makes the Viewer of a request or a socket: who it is, and which collections they may see."""

import hashlib
from dataclasses import replace

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from chat.answering.domain.query.asked_scope import AskedScope, scope_of
from chat.answering.domain.viewer import Viewer
from corpus.models import Collection, Lecture, Work


def viewer_of(user: AbstractBaseUser | AnonymousUser, session_key: str | None, scope: str | None = None) -> Viewer:
    """Return the viewer for an account or an anonymous session; `scope` narrows (domain/query/asked_scope.py).

    A scope the reader may not know of gives no collections, exactly as one that does not exist. Raises BadScope.
    """
    asked = scope_of(scope or "")
    visible = list(Collection.objects.visible_to(user).order_by("pk").values_list("pk", "key"))
    collections = tuple(pk for pk, key in visible if not asked.collection or key == asked.collection)
    elsewhere = tuple(pk for pk, _ in visible if pk not in collections) if collections else ()
    sees_all = not Collection.objects.exclude(pk__in=collections).exists()
    if user.is_authenticated:
        return narrowed(Viewer(user.pk, "", collections, sees_all, elsewhere), asked)
    visitor = hashlib.sha256(session_key.encode()).hexdigest() if session_key else ""
    return narrowed(Viewer(None, visitor, collections, sees_all, elsewhere), asked)


def narrowed(viewer: Viewer, asked: AskedScope) -> Viewer:
    """Narrow to works, series, kinds and languages; to nothing where the viewer sees none of the works and series."""
    visible = {"collection__in": viewer.collections, "state": Work.State.PUBLISHED}
    works = Work.objects.filter(key__in=asked.works, **visible).values_list("pk", flat=True)
    lectures = Lecture.objects.filter(series__in=asked.series, **visible).values_list("pk", flat=True)
    sources = tuple(sorted([*(works if asked.works else ()), *(lectures if asked.series else ())]))
    if (asked.works or asked.series) and not sources:
        return replace(viewer, collections=(), sees_all=False, elsewhere=())
    return replace(viewer, languages=asked.languages, kinds=asked.kinds, sources=sources)
