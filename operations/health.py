"""Whether the process lives, and whether it can answer."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from corpus.models import ChunkVector, EmbeddingSpace
from lectorium.redis_services import trouble
from operations import warming


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer "ok" as long as the process does; asks nothing of the database."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 {"ready": true, "missing": [], "degraded": []}, or 503 with a sentence for each thing that is missing.

    "degraded" says what is away that turns can do without: a process is not taken out of service for it.
    """
    missing = _missing()
    answer = {"ready": not missing, "missing": missing, "degraded": _degraded()}
    return JsonResponse(answer, status=503 if missing else 200)


def _degraded() -> list[str]:
    if settings.REDIS_URL and trouble(settings.REDIS_URL):
        return ["Redis cannot be used: every question is answered anew."]
    return []


def _missing() -> list[str]:
    if warming.is_under_way():
        return ["The models are still loading."]
    try:
        return _missing_from_database()
    except DatabaseError:
        return ["The database cannot be reached."]


def _missing_from_database() -> list[str]:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return ["The database is not migrated: run manage.py migrate."]
    space = EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.SERVING).first()
    if space is None:
        return ["No embedding space serves: run manage.py index."]
    if not ChunkVector.objects.filter(space=space).exists():
        return [f"The space {space} holds no vectors: import lectures, then run manage.py index."]
    return _missing_calibration(space)


def _missing_calibration(space: EmbeddingSpace) -> list[str]:
    from chat.answering.calibrations import MissingCalibration, calibration_of

    try:
        calibration_of(space)
    except MissingCalibration as error:
        return [str(error)]
    return []
