"""Liveness and readiness of a web process."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import async_to_sync, iscoroutinefunction, sync_to_async
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from corpus.models import ChunkVector, EmbeddingSpace
from lectorium.database_start import NewerDatabase, check_not_newer
from lectorium.redis_services import trouble
from lectorium.replicas import replica
from operations import warming


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Always "ok"; does not use the database."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 {"ready": true, "missing": [], "degraded": []}, or 503 with a sentence for each missing part.

    "degraded" lists failures that turns can do without; they do not make a process unready.
    """
    missing = _missing()
    answer = {"ready": not missing, "missing": missing, "degraded": _degraded()}
    return JsonResponse(answer, status=503 if missing else 200)


@sync_and_async_middleware
def probes_first(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answer probes whatever host and scheme they name: a container asks itself by its address."""
    probes = {reverse("healthz"): healthz, reverse("readyz"): readyz}
    if iscoroutinefunction(get_response):

        async def later(request: HttpRequest) -> Any:
            probe = probes.get(request.path)
            return await (sync_to_async(probe) if probe else get_response)(request)

        return later

    return lambda request: probes.get(request.path, get_response)(request)


def _degraded() -> list[str]:
    found = []
    if settings.REDIS_URL and trouble(settings.REDIS_URL):
        found.append("Redis is unavailable: answers are not cached.")
    if async_to_sync(replica.trouble)():
        found.append("The replica does not serve: the primary database does the look-ups.")
    return found


def _missing() -> list[str]:
    if warming.is_under_way():
        return ["The models are still loading."]
    if warming.has_failed():
        warming.retry()
        return ["The models could not be loaded: run manage.py doctor, or see the log."]
    try:
        return _missing_from_database()
    except DatabaseError:
        return ["The database cannot be reached."]


def _missing_from_database() -> list[str]:
    executor = MigrationExecutor(connection)
    try:
        check_not_newer(executor.loader)
    except NewerDatabase as error:
        return [str(error)]
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return ["The database is not migrated: run manage.py migrate."]
    space = EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.SERVING).first()
    if space is None:
        return ["No embedding space is in use: run manage.py index."]
    if not ChunkVector.objects.filter(space=space).exists():
        return [f"The space {space} has no vectors: import lectures, then run manage.py index."]
    return _missing_calibration(space)


def _missing_calibration(space: EmbeddingSpace) -> list[str]:
    from chat.answering.calibrations import MissingCalibration, calibration_of

    try:
        calibration_of(space)
    except MissingCalibration as error:
        return [str(error)]
    return []
