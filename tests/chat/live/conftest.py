import asyncio

import pytest

from chat.answering import turn
from chat.answering.stages.retrieve import retrieve_candidates
from chat.live import follow, running


@pytest.fixture
def short_waits(monkeypatch):
    """Wait tenths of a second for a process that is gone, instead of eight seconds in all."""
    monkeypatch.setattr(running, "SECONDS", 0.1)
    monkeypatch.setattr(follow, "STOPPED_IN", 0.1)


@pytest.fixture
def slow_retrieval(monkeypatch):
    """A retrieval that says when it has begun, and goes on when it may."""

    class Slow:
        def __init__(self):
            self.begun, self.go_on = asyncio.Event(), asyncio.Event()

        async def __call__(self, *args):
            self.begun.set()
            async with asyncio.timeout(60):
                await self.go_on.wait()
            return await retrieve_candidates(*args)

    slow = Slow()
    monkeypatch.setattr(turn, "retrieve_candidates", slow)
    return slow
