"""Counts in the cache, across all processes that share it, how often something was done in this hour."""

import hashlib
import logging
import time

from django.core.cache import cache

log = logging.getLogger(__name__)

HOUR = 3600  # seconds


def seconds_left() -> int:
    """The seconds until the next hour, which counts anew."""
    return HOUR - int(time.time()) % HOUR


def count_in_hour(what: str) -> int | None:
    """How often this was counted, now included; None where the cache cannot be used.

    The key is a hash, because a session key is a secret.
    """
    hour = int(time.time()) // HOUR
    key = f"hourly:{hashlib.sha256(f'{hour} {what}'.encode()).hexdigest()}"
    try:
        return 1 if cache.add(key, 1, HOUR) else int(cache.incr(key))
    except ValueError:  # it expired meanwhile
        return 1
    except Exception as error:  # noqa: BLE001 - each backend has its own; its words may hold a password
        log.warning("The cache cannot be used, so nothing is counted by the hour: %s", type(error).__name__)
        return None
