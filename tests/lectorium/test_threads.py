"""Cancelling work on a thread reaches the models it was waiting for."""

import asyncio
import threading

import pytest
from django.utils import translation

from lectorium.providers import cancellation
from lectorium.threads import at_once, in_thread


async def test_a_thread_returns_what_its_function_returns():
    assert await in_thread(lambda: 3) == 3


async def test_a_thread_has_the_interface_language_of_its_caller_and_leaves_none_behind():
    with translation.override("de"):
        assert await in_thread(translation.gettext, "Sign in") == "Anmelden"
        with translation.override(None):
            assert await in_thread(translation.get_language) is None
    assert await in_thread(translation.get_language) == "en"


async def test_cancelling_sets_the_stop_signal_that_model_calls_look_at():
    seen: list[cancellation.Signal | None] = []
    started, told = threading.Event(), threading.Event()

    def work() -> None:
        signal = cancellation.current()
        seen.append(signal)
        started.set()
        if signal and signal.wait(10):
            told.set()

    task = asyncio.create_task(in_thread(work))
    assert await asyncio.to_thread(started.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told.wait(10)
    assert cancellation.current() is None, "the signal belongs to the call, not to its caller"


async def test_of_tasks_run_at_once_the_first_error_is_raised_by_itself_and_the_rest_are_cancelled():
    tasks = []

    async def fail() -> None:
        raise ValueError("no shelf")

    async def both() -> None:
        async with at_once() as group:
            tasks.append(group.create_task(asyncio.Event().wait()))
            group.create_task(fail())

    with pytest.raises(ValueError, match="no shelf"):
        await both()
    assert [task.cancelled() for task in tasks] == [True]
