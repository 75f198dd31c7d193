"""What several web processes share through the Redis of REDIS_URL: kept answers, and word from socket to socket.

Redis is imported only where it is used. Nothing that is read from it can run code here.
"""

import json
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

WAIT = 1.0  # seconds for a connection, and for an answer: a cache must not hold up a turn
WAIT_FOR_MESSAGES = 5.0  # seconds, more than the layer's `brpop_timeout`: silence is no fault


def cache_on(url: str) -> dict[str, Any]:
    """Return the Django cache that lies at the address; its values are strings, numbers and lists of them."""
    from redis.backoff import NoBackoff
    from redis.exceptions import ConnectionError as Lost
    from redis.retry import Retry

    once_more = Retry(NoBackoff(), 1, (Lost,))  # a line from before a restart is dead
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
    """Return the channel layer that lies at the address; its messages are msgpack."""
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
    """Return in words what keeps the cache at the address from being used, or ""; the password is not among them."""
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
    return "" if same else f"{where} gives back something else than it was given"


class JsonSerializer:
    """Keeps values as JSON. Django's own serializer pickles: whoever can write to Redis could run code with it."""

    def dumps(self, value: Any) -> str:
        return json.dumps(value)

    def loads(self, stored: bytes) -> Any:
        """Return the value; raises ValueError where the bytes are not ours."""
        return json.loads(stored)
