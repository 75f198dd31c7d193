"""Divides an index run among workers: shares of chunks, claimed by a locking SELECT, renewed with each batch."""

import os
import socket
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from corpus.models import EmbeddingSpace, IndexClaim, IndexRun
from corpus.models.spaces import SILENT_AFTER

SHARES = 64
_STEP = 2**128 // SHARES


class LeaseLost(RuntimeError):
    """Another run took the share over after this one exceeded its lease."""


def run_begin(*, space: EmbeddingSpace, total: int) -> IndexRun:
    """Record the start of a run, and create a claim per share."""
    IndexClaim.objects.bulk_create(
        [IndexClaim(space=space, share=share) for share in range(SHARES)], ignore_conflicts=True
    )
    return IndexRun.objects.create(space=space, total=total, worker=_worker())


def run_fail(*, space: EmbeddingSpace, error: str) -> None:
    """Record an error that prevented a run from starting."""
    IndexRun.objects.create(space=space, total=0, worker=_worker(), error=error, finished_at=timezone.now())


def run_advance(*, run: IndexRun, embedded: int = 0, situated: int = 0) -> None:
    """Record a stored batch of vectors or sentences."""
    IndexRun.objects.filter(pk=run.pk).update(
        embedded=F("embedded") + embedded, situated=F("situated") + situated, seen_at=Now()
    )


def run_finish(*, run: IndexRun, error: str = "", remark: str = "") -> None:
    """Record the end of a run and release its shares."""
    release(run)
    IndexRun.objects.filter(pk=run.pk).update(finished_at=Now(), seen_at=Now(), error=error, remark=remark)


@transaction.atomic
def claim(run: IndexRun, wanted: int, lease: timedelta, done: Sequence[int]) -> list[int]:
    """Claim up to `wanted` free shares that are not in `done`, for the duration of the lease.

    The database's clock decides, so the hosts' clocks need not agree. A claim that ends later than any lease was made
    while that clock ran ahead; it is free.
    """
    longest = 2 * max(lease, SILENT_AFTER)
    is_free = Q(until__isnull=True) | Q(until__lt=Now()) | Q(until__gt=Now() + longest)
    free = IndexClaim.objects.filter(is_free, space_id=run.space_id)
    chosen = free.exclude(share__in=done).order_by("share").select_for_update(skip_locked=True)[:wanted]
    mine = dict(chosen.values_list("pk", "share"))
    IndexClaim.objects.filter(pk__in=mine).update(run=run.pk, until=Now() + lease)
    return list(mine.values())


def hold(run: IndexRun, shares: Sequence[int], lease: timedelta) -> None:
    """Renew a run's claims in the transaction that stores a batch. Raises LeaseLost where one was taken over."""
    held = IndexClaim.objects.filter(space_id=run.space_id, share__in=shares, run=run.pk)
    if held.update(until=Now() + lease) != len(shares):
        raise LeaseLost(f"A share of {run.space} was taken over: no batch was stored for {lease}.")


def release(run: IndexRun) -> None:
    IndexClaim.objects.filter(space_id=run.space_id, run=run.pk).update(run=None, until=None)


def _worker() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def chunks_of(shares: Sequence[int]) -> Q:
    """Matches the chunks in these shares, by the first bits of their ids."""
    chosen = Q(pk__in=())
    for share in shares:
        chosen |= Q(pk__range=(UUID(int=share * _STEP), UUID(int=(share + 1) * _STEP - 1)))
    return chosen
