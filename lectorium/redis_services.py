"""The cache and channel layer that several web processes share through REDIS_URL.

Redis is imported only if used. Values read from it cannot execute code.
"""

import json
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

WAIT = 1.0  # seconds to connect and to answer: a cache must not delay a turn
WAIT_FOR_MESSAGES = 5.0  # seconds; more than the layer's `brpop_timeout`, so that silence is not an error


def cache_on(url: str) -> dict[str, Any]:
    """The Django cache at this address, with JSON values."""
    from redis.backoff import NoBackoff
    from redis.exceptions import ConnectionError as Lost
    from redis.retry import Retry

    once_more = Retry(NoBackoff(), 1, (Lost,))  # a connection from before a restart is dead
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": url,
        "KEY_PREFIX": "lectorium",
        "OPTIONS": {
            "serializer": "lectorium.redis_services.JsonSerializer",
            "socket_connect_timeout": WAIT,
            "socket_timeout": WAIT,
            "retry": once_more,
        },
    }


def layer_on(url: str) -> dict[str, Any]:
    """The channel layer at this address, with msgpack messages."""
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff
    from redis.exceptions import ConnectionError as Lost

    host = {
        "address": url,
        "socket_connect_timeout": WAIT,
        "socket_timeout": WAIT_FOR_MESSAGES,
        "retry": Retry(NoBackoff(), 1, (Lost,)),
    }
    return {"BACKEND": "lectorium.redis_layer.PatientRedisLayer", "CONFIG": {"hosts": [host], "group_expiry": 3600}}


def trouble(url: str) -> str:
    """Why the cache cannot be used, without the password; "" if it can."""
    from django.core.cache import cache
    from redis.exceptions import AuthenticationError, RedisError, TimeoutError
    from redis.exceptions import ConnectionError as Lost

    address = urlsplit(url)
    where = f"Redis at {address.hostname or address.path}" + (f":{address.port}" if address.port else "")
    key, written = f"doctor:{uuid4().hex}", uuid4().hex
    try:
        cache.set(key, written, timeout=10)
        same = cache.get(key) == written
        cache.delete(key)
    except AuthenticationError:
        return f"{where} refuses the password of REDIS_URL"
    except TimeoutError:
        return f"{where} does not answer within {WAIT:g} s"
    except Lost:
        return f"{where} cannot be reached"
    except (RedisError, OSError) as error:
        return f"{where} cannot be used: {str(error).rstrip('.') or type(error).__name__}"
    except ValueError as error:  # may repeat the address
        return f"{where} cannot be used: {type(error).__name__}"
    return "" if same else f"{where} does not return what was stored"


class JsonSerializer:
    """Stores values as JSON. Django's serializer pickles, which would let anyone who can write to Redis run code."""

    def dumps(self, value: Any) -> str:
        return json.dumps(value)

    def loads(self, stored: bytes) -> Any:
        """Raises ValueError for foreign bytes."""
        return json.loads(stored)
