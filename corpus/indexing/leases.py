"""Who works on what: shares of a space's chunks, claimed by a conditional UPDATE and held from batch to batch."""

import os
import socket
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from corpus.models import EmbeddingSpace, IndexClaim, IndexRun

SHARES = 64
_STEP = 2**128 // SHARES


class LeaseLost(RuntimeError):
    """Another run took the share over, because this one was silent for longer than its lease."""


def run_begin(*, space: EmbeddingSpace, total: int) -> IndexRun:
    """Note that this process begins to work on a space; one claim a share exists from then on."""
    IndexClaim.objects.bulk_create(
        [IndexClaim(space=space, share=share) for share in range(SHARES)], ignore_conflicts=True
    )
    return IndexRun.objects.create(space=space, total=total, worker=_worker())


def run_fail(*, space: EmbeddingSpace, error: str) -> None:
    """Note what kept this process from beginning any work."""
    IndexRun.objects.create(space=space, total=0, worker=_worker(), error=error, finished_at=timezone.now())


def run_advance(*, run: IndexRun, embedded: int = 0, situated: int = 0) -> None:
    """Note that a batch was stored, of vectors or of sentences of context."""
    IndexRun.objects.filter(pk=run.pk).update(
        embedded=F("embedded") + embedded, situated=F("situated") + situated, seen_at=Now()
    )


def run_finish(*, run: IndexRun, error: str = "", remark: str = "") -> None:
    """Note how a run ended, and give back what it holds."""
    release(run)
    IndexRun.objects.filter(pk=run.pk).update(finished_at=Now(), seen_at=Now(), error=error, remark=remark)


def claim(run: IndexRun, wanted: int, lease: timedelta, done: Sequence[int]) -> list[int]:
    """Return up to `wanted` shares that nobody holds and that are not done, held by this run for the lease from now.

    The database's clock decides, so hosts whose clocks differ agree.
    """
    free = IndexClaim.objects.filter(Q(until__isnull=True) | Q(until__lt=Now()), space_id=run.space_id)
    mine: list[int] = []
    for key, share in free.exclude(share__in=done).order_by("share").values_list("pk", "share"):
        mine += [share] * free.filter(pk=key).update(run=run.pk, until=Now() + lease)
        if len(mine) == wanted:
            break
    return mine


def hold(run: IndexRun, shares: Sequence[int], lease: timedelta) -> None:
    """Put off the end of a run's claims, in the transaction that stores a batch. Raises LeaseLost where one is gone."""
    held = IndexClaim.objects.filter(space_id=run.space_id, share__in=shares, run=run.pk)
    if held.update(until=Now() + lease) != len(shares):
        raise LeaseLost(f"A share of {run.space} was taken over: no batch was stored for {lease}.")


def release(run: IndexRun) -> None:
    """Let go of every share the run holds."""
    IndexClaim.objects.filter(space_id=run.space_id, run=run.pk).update(run=None, until=None)


def _worker() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def chunks_of(shares: Sequence[int]) -> Q:
    """Return the condition for a chunk to be in one of the shares: its id begins with the share's bits."""
    chosen = Q(pk__in=())
    for share in shares:
        chosen |= Q(pk__range=(UUID(int=share * _STEP), UUID(int=(share + 1) * _STEP - 1)))
    return chosen
