"""Messages between processes: joining a group, and closing the sockets of a session that ended.

They go over Redis, where there is one, and may be lost: a socket whose session has ended closes at its next message.
"""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.http import HttpRequest

log = logging.getLogger(__name__)

SECONDS = 1.0  # that one message may take
AGAIN = 1200.0  # seconds, less than the layer's `group_expiry`, after which a member drops out of its group


async def listen(layer: Any, channel: str, group: str) -> None:
    """Deliver the group's messages to the channel, until this is cancelled."""
    try:
        while True:
            await carried(layer.group_add(group, channel))
            await asyncio.sleep(AGAIN)
    finally:
        await carried(layer.group_discard(group, channel))


def close_sockets(sender: Any, request: HttpRequest, **signal: Any) -> None:
    """Close the sockets of a session that signs out, in every process; called before the session ends."""
    if key := request.session.session_key:
        layer = get_channel_layer()
        async_to_sync(carried)(layer.group_send(session_group(key), {"type": "session.ended"}))


def session_group(key: str) -> str:
    """The group of a session's sockets, named by a hash: the session key is a secret."""
    return f"session.{hashlib.sha256(key.encode()).hexdigest()}"


async def carried(sending: Awaitable[None]) -> bool:
    """Whether a message went out in time."""
    try:
        async with asyncio.timeout(SECONDS):
            await sending
        return True
    except Exception as error:  # noqa: BLE001 - each layer has its own
        log.info("The channel layer did not carry a message: %s", type(error).__name__)
        return False
