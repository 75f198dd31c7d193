"""Blocking work away from the event loop, on a bounded number of threads."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")

# Lanes of a few turns at once wait on the database here; models have locks of their own.
THREADS = 16
_executor = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="lectorium")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return `function(*args, **kwargs)` run on a worker thread, its database connections given back afterwards."""
    context = contextvars.copy_context()
    call = partial(context.run, _run, partial(function, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_executor, call)


def _run(call: Callable[[], T]) -> T:
    try:
        return call()
    finally:
        connections.close_all()
