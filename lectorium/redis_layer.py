import asyncio
import logging
from typing import Any

from channels_redis.core import RedisChannelLayer
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

AGAIN = 1.0  # seconds between two attempts to reach Redis


class PatientRedisLayer(RedisChannelLayer):  # type: ignore[misc]  # channels_redis has no types
    """Waits while Redis is away; channels_redis would end every socket of the process."""

    brpop_timeout = 2  # seconds; less than the connection's timeout, so that silence is not an error
    is_away = False

    async def receive(self, channel: str) -> Any:
        """The next message to the channel, across any number of Redis outages."""
        while True:
            try:
                return await super().receive(channel)
            except (RedisError, OSError) as error:
                if not self.is_away:
                    log.warning(
                        "Redis is unreachable, so web processes cannot reach each other: %s", type(error).__name__
                    )
                self.is_away = True
                await asyncio.sleep(AGAIN)

    async def _brpop_with_clean(self, index: int, channel: str, timeout: int) -> Any:  # noqa: ASYNC109 - theirs
        member = await super()._brpop_with_clean(index, channel, timeout)
        if self.is_away:
            log.warning("Redis is back.")
        self.is_away = False
        return member
