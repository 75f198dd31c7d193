"""Runs blocking work on a bounded number of threads; cancelling it also stops its model calls."""

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import connections
from django.utils import translation

from lectorium.providers import cancellation

P = ParamSpec("P")
T = TypeVar("T")

# Concurrent lanes wait for the database here; models have their own locks.
THREADS = 16
_executor = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="lectorium")
# A replica that hangs can hold all of these, and turns go on with the others.
_replica_executor = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="lectorium-replica")
_for_replica: ContextVar[bool] = ContextVar("on the replica's threads", default=False)


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function(*args, **kwargs)` on a worker thread, and close its database connections.

    It has the caller's interface language, which Django keeps by thread.
    """
    context, signal = contextvars.copy_context(), threading.Event()
    work = partial(_in_language, translation.get_language(), partial(function, *args, **kwargs))
    call = partial(context.run, _run, work, signal)
    executor = _replica_executor if _for_replica.get() else _executor
    try:
        return await asyncio.get_running_loop().run_in_executor(executor, call)
    except asyncio.CancelledError:
        signal.set()
        raise


@contextlib.contextmanager
def replica_threads() -> Iterator[None]:
    """Let `in_thread` use the threads for look-ups on the replica."""
    token = _for_replica.set(True)
    try:
        yield
    finally:
        _for_replica.reset(token)


@contextlib.asynccontextmanager
async def at_once() -> AsyncIterator[asyncio.TaskGroup]:
    """Run tasks together. If one raises, the others are cancelled and its error is raised outside any group."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None


def _in_language(language: str | None, call: Callable[[], T]) -> T:
    with translation.override(language):
        return call()


def _run(call: Callable[[], T], signal: threading.Event) -> T:
    cancellation.listen(signal)
    try:
        return call()
    finally:
        connections.close_all()
