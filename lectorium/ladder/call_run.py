"""Calls of one job outside a turn, on one event loop, so that connections are reused."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from lectorium.ladder import calling
from lectorium.ladder.calling import WrittenAnswer
from lectorium.ladder.calls import Call, collect_calls
from lectorium.ladder.metered_model import close_connections
from lectorium.ladder.prompts import Slot
from lectorium.ladder.selectors import ResolvedModel

ResultT = TypeVar("ResultT")


class CallRun:
    """Asks a job's models, and closes their connections at the end of the `with` block."""

    def __init__(self, job: str, seconds: float, *, prompt_name: str = "") -> None:
        """seconds: for each call, over all rungs. prompt_name: as in `calling.write`."""
        self._job, self._seconds, self._prompt_name = job, seconds, prompt_name
        self._served: set[ResolvedModel] = set()
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            if self._served:
                self._runner.run(close_connections(self._served))
        finally:
            self._runner.close()

    def run(self, calls: Coroutine[Any, Any, ResultT]) -> ResultT:
        return self._runner.run(calls)

    async def ask(self, key: str, slots: dict[str, Slot]) -> tuple[WrittenAnswer | None, str]:
        """What a model wrote, or None and the first fault, which is "" where no model is configured.

        Raises TimeoutError, and what the job's rows raise if they cannot be read.
        """
        calls: list[Call] = []
        collect_calls(calls)
        try:
            async with asyncio.timeout(self._seconds):
                written = await calling.write(self._job, key, slots, prompt_name=self._prompt_name)
        finally:
            self._served |= {call.served for call in calls if not call.served.is_builtin}
        return written, next((call.outcome for call in calls if call.is_fault), "") if written is None else ""
