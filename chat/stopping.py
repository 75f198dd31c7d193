"""Word to the process that runs a turn that its reader has come back for elsewhere; over Redis, where there is one.

Such word is a courtesy: a turn that was ended elsewhere stops at its next event, also where none came through.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable
from typing import Any
from uuid import UUID

log = logging.getLogger(__name__)

SECONDS = 1.0  # that one message may take


@contextlib.asynccontextmanager
async def stoppable(layer: Any, channel: str, turn_id: UUID) -> AsyncIterator[None]:
    """While the block runs, `turn.stop` for this turn comes to the channel. Waits for nothing."""
    listening = asyncio.create_task(_listen(layer, channel, turn_id))
    try:
        yield
    finally:
        listening.cancel()


async def stop_where_it_runs(layer: Any, turn_id: UUID) -> bool:
    """Ask for the turn to be stopped, in whatever process it runs; say whether word of it went out."""
    return await _carried(layer.group_send(_group(turn_id), {"type": "turn.stop", "turn": str(turn_id)}))


async def _listen(layer: Any, channel: str, turn_id: UUID) -> None:
    await _carried(layer.group_add(_group(turn_id), channel))
    try:
        await asyncio.Event().wait()
    finally:
        await _carried(layer.group_discard(_group(turn_id), channel))


async def _carried(sending: Awaitable[None]) -> bool:
    try:
        async with asyncio.timeout(SECONDS):
            await sending
        return True
    except Exception as error:  # noqa: BLE001 - each layer has its own
        log.info("The channel layer did not carry a message: %s", type(error).__name__)
        return False


def _group(turn_id: UUID) -> str:
    return f"turn.{turn_id}"
