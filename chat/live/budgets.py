"""Budgets: how many questions a reader, a network address and the whole site may ask in an hour."""

import hashlib
import logging
import time

from django.conf import settings
from django.core.cache import cache

from chat.live.admission import TooManyTurns

log = logging.getLogger(__name__)

HOUR = 3600  # seconds
OWN = "You have asked as many questions as one reader may ask here in an hour. Please go on in {minutes} minutes."
FROM_ONE_PLACE = "Your network has asked as many questions as it may in an hour. Please go on in {minutes} minutes."
ALL = "This site has answered as many questions as it may in an hour. Please go on in {minutes} minutes."


def question_count(*, reader: str, address: str) -> None:
    """Count a question. Raises TooManyTurns where a budget of this hour is spent.

    Counts in the cache, across all processes that share it. Without a reachable cache, questions pass.
    """
    hour, spent = divmod(int(time.time()), HOUR)
    left = HOUR - spent
    limits = (
        (f"reader {reader}", settings.QUESTIONS_OF_A_READER, OWN),
        (f"address {address}", settings.QUESTIONS_OF_AN_ADDRESS, FROM_ONE_PLACE),
        ("site", settings.QUESTIONS_OF_THE_SITE, ALL),
    )
    for whose, most, said in limits:
        if most and _counted(f"{hour} {whose}") > most:
            raise TooManyTurns(said.format(minutes=-(-left // 60)), seconds=left)


def _counted(whose: str) -> int:
    """How often this was counted, now included. The key is a hash, because a session key is a secret."""
    key = f"questions:{hashlib.sha256(whose.encode()).hexdigest()}"
    try:
        return 1 if cache.add(key, 1, HOUR) else int(cache.incr(key))
    except ValueError:  # it expired meanwhile
        return 1
    except Exception as error:  # noqa: BLE001 - each backend has its own; its words may hold a password
        log.warning("The cache cannot be used, so questions are not counted: %s", type(error).__name__)
        return 0
