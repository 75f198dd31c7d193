"""`/metrics` for Prometheus: counters of this machine's processes, and gauges from the shared database."""

import threading
import time
from collections.abc import Iterator
from ipaddress import ip_address
from secrets import compare_digest

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from lectorium.metrics import forget_dead_gauges, shared_folder
from lectorium.replicas import replica
from operations.backup.newest import newest

CACHE_SECONDS = 15.0  # seconds for which database gauges are cached
FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via")


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Metrics in Prometheus' text format; 404 for unauthorized clients."""
    if not (_has_token(request) or _is_of_this_machine(request)):
        raise Http404
    text = generate_latest(_counters()) + generate_latest(_shared)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _counters() -> CollectorRegistry:
    """Of all processes of this machine where they count together, else of this one."""
    folder = shared_folder()
    if folder is None or not folder.is_dir():
        return REGISTRY
    forget_dead_gauges(folder)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(folder))  # type: ignore[no-untyped-call]
    ProcessCollector(registry=registry)
    return registry


def _has_token(request: HttpRequest) -> bool:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    expected = settings.METRICS_TOKEN
    return bool(expected) and scheme.lower() == "bearer" and compare_digest(given.encode(), expected.encode())


def _is_of_this_machine(request: HttpRequest) -> bool:
    """Whether the client runs on this machine. Never on a public site, where a proxy makes every client look local."""
    if not settings.THIS_MACHINE_ONLY or any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR") or "").is_loopback
    except ValueError:
        return False


class DatabaseGauges:
    """Gauges from the database: at most four look-ups per scrape, all on small tables or indexes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """Drop the cached gauges."""
        self._read_at, self._found = float("-inf"), list[Metric]()

    def describe(self) -> list[Metric]:
        return []  # called at registration, before the database is available

    def collect(self) -> list[Metric]:
        with self._lock:
            if time.monotonic() - self._read_at > CACHE_SECONDS:
                self._found, self._read_at = _gauges(), time.monotonic()
            return self._found


def _gauges() -> list[Metric]:
    try:
        found, reached = list(_from_database()), 1
    except DatabaseError:
        found, reached = [], 0
    if made := newest():
        name = "lectorium_backup_timestamp_seconds"
        found.append(_gauge(name, "Time of this machine's last backup.", made[0].timestamp()))
    if replica.exists:
        serves = not async_to_sync(replica.trouble)()
        found.append(_gauge("lectorium_replica_up", "Whether look-ups go to the replica.", serves))
    return [_gauge("lectorium_database_up", "Whether the database answers.", reached), *found]


def _from_database() -> Iterator[Metric]:
    from django_q.models import OrmQ

    from audit.models import KnowledgeGap
    from corpus.models import Import
    from corpus.selectors import serving_space

    jobs = GaugeMetricFamily("lectorium_jobs_waiting", "Queued jobs.", labels=["queue"])
    for queue, number in OrmQ.objects.values_list("key").annotate(Count("id")).order_by():
        jobs.add_metric([queue], number)
    yield jobs
    space = serving_space()
    if space and space.indexed_at:
        age = (timezone.now() - space.indexed_at).total_seconds()
        yield _gauge("lectorium_index_age_seconds", "Time since the index was last complete.", age)
    failed = Import.objects.filter(state=Import.State.FAILED).count()
    yield _gauge("lectorium_imports_failed", "Failed imports that are not discarded.", failed)
    gaps = KnowledgeGap.objects.filter(state=KnowledgeGap.State.OPEN).count()
    yield _gauge("lectorium_gaps_open", "Open knowledge gaps.", gaps)


def _gauge(name: str, says: str, value: float) -> Metric:
    return GaugeMetricFamily(name, says, value=value)


shared = DatabaseGauges()
_shared = CollectorRegistry()
_shared.register(shared)
