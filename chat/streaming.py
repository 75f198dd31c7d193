"""Verified streaming: while a sentence is checked the next is written; they come out in order, each with a verdict."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass

from chat.domain.assembler import Drafted
from chat.domain.checking import Checked
from lectorium.threads import in_thread


@dataclass
class CheckTimes:
    """Seconds: spent in checks, and waited for them by a reader for whom a sentence was ready."""

    checking: float = 0.0
    waiting: float = 0.0


async def checked_stream(
    drafted: AsyncGenerator[Drafted, None], check: Callable[[Drafted], Checked], times: CheckTimes
) -> AsyncGenerator[Checked, None]:
    """Yield each sentence once it is checked. What the writing raises is raised after the last sentence it wrote."""
    queue: asyncio.Queue[asyncio.Task[Checked] | None] = asyncio.Queue()

    async def checking(one: Drafted) -> Checked:
        began = time.perf_counter()
        try:
            return await in_thread(check, one)
        finally:
            times.checking += time.perf_counter() - began

    async def write() -> None:
        try:
            async with aclosing(drafted) as sentences:
                async for one in sentences:
                    queue.put_nowait(asyncio.create_task(checking(one)))
        finally:
            queue.put_nowait(None)

    writer = asyncio.create_task(write())
    try:
        while (task := await queue.get()) is not None:
            began = time.perf_counter()
            checked = await task
            times.waiting += time.perf_counter() - began
            yield checked
        await writer
    finally:
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)
        while not queue.empty():
            if (left := queue.get_nowait()) is not None:
                left.cancel()
