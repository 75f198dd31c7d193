"""Verified streaming: a sentence is checked while the next is written; they come out in order, with verdicts."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from chat.answering.domain.checking import VerifiedSentence
from chat.answering.domain.stream.assembler import DraftSentence
from lectorium.threads import in_thread


async def checked_stream(
    drafted: AsyncGenerator[DraftSentence, None],
    check: Callable[[DraftSentence], VerifiedSentence],
    seconds: list[float],
) -> AsyncGenerator[VerifiedSentence, None]:
    """Yield each sentence once it is checked. An error of the writer is raised after its last sentence.

    seconds: the duration of each check is appended. A check delays only its own sentence.
    """
    queue: asyncio.Queue[asyncio.Task[VerifiedSentence] | None] = asyncio.Queue()

    async def checking(sentence: DraftSentence) -> VerifiedSentence:
        began = time.perf_counter()
        try:
            return await in_thread(check, sentence)
        finally:
            seconds.append(time.perf_counter() - began)

    async def write() -> None:
        try:
            async with aclosing(drafted) as sentences:
                async for sentence in sentences:
                    queue.put_nowait(asyncio.create_task(checking(sentence)))
        finally:
            queue.put_nowait(None)

    writer = asyncio.create_task(write())
    try:
        while (task := await queue.get()) is not None:
            yield await task
        await writer
    finally:
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)
        while not queue.empty():
            if (left := queue.get_nowait()) is not None:
                left.cancel()
