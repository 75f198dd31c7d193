"""The channel layer on Redis, for sockets that must outlive it."""

import asyncio
import logging
from typing import Any

from channels_redis.core import RedisChannelLayer
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

AGAIN = 1.0  # seconds between two looks whether Redis is back


class PatientRedisLayer(RedisChannelLayer):  # type: ignore[misc]  # channels_redis has no types
    """Waits where Redis is away: channels_redis would end every socket of the process with the error."""

    brpop_timeout = 2  # seconds, less than a connection waits for an answer: silence is no fault
    is_away = False

    async def receive(self, channel: str) -> Any:
        """Return the next message to the channel, however often Redis goes and comes until then."""
        while True:
            try:
                return await super().receive(channel)
            except (RedisError, OSError) as error:
                if not self.is_away:
                    log.warning("Redis is away, so processes do not hear from one another: %s", type(error).__name__)
                self.is_away = True
                await asyncio.sleep(AGAIN)

    async def _brpop_with_clean(self, index: int, channel: str, timeout: int) -> Any:  # noqa: ASYNC109 - theirs
        member = await super()._brpop_with_clean(index, channel, timeout)
        if self.is_away:
            log.warning("Redis is back.")
        self.is_away = False
        return member
