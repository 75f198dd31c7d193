"""Budgets: how many questions and searches a reader, a network address and the whole site have in an hour."""

import hashlib
import logging
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache

from chat.live.admission import TooManyTurns

log = logging.getLogger(__name__)

HOUR = 3600  # seconds


@dataclass(frozen=True, slots=True)
class HourlyBudget:
    """setting: prefix of the three settings. said: to a reader, to those of a network address, and to everybody."""

    setting: str
    said: tuple[str, str, str]


QUESTIONS = HourlyBudget(
    "QUESTIONS",
    (
        "You have asked as many questions as one reader may ask here in an hour. Please go on in {minutes} minutes.",
        "Your network has asked as many questions as it may in an hour. Please go on in {minutes} minutes.",
        "This site has answered as many questions as it may in an hour. Please go on in {minutes} minutes.",
    ),
)
SEARCHES = HourlyBudget(
    "SEARCHES",
    (
        "You have searched as often as one reader may here in an hour. Please go on in {minutes} minutes.",
        "Your network has searched as often as it may in an hour. Please go on in {minutes} minutes.",
        "This site has been searched as often as it may in an hour. Please go on in {minutes} minutes.",
    ),
)


def question_count(*, reader: str, address: str) -> None:
    """Count a question. Raises TooManyTurns where a budget of this hour is spent."""
    _count(QUESTIONS, reader, address)


def search_count(*, reader: str, address: str) -> None:
    """Count a search, which takes about a quarter of a question. Raises TooManyTurns."""
    _count(SEARCHES, reader, address)


def _count(budget: HourlyBudget, reader: str, address: str) -> None:
    """Count in the cache, across all processes that share it. Without a reachable cache, everything passes."""
    hour, spent = divmod(int(time.time()), HOUR)
    left = HOUR - spent
    for whose, limit, said in zip(
        (f"reader {reader}", f"address {address}", "site"),
        ("OF_A_READER", "OF_AN_ADDRESS", "OF_THE_SITE"),
        budget.said,
        strict=True,
    ):
        most = getattr(settings, f"{budget.setting}_{limit}")
        if most and _counted(f"{budget.setting} {hour} {whose}") > most:
            raise TooManyTurns(said.format(minutes=-(-left // 60)), seconds=left)


def _counted(whose: str) -> int:
    """How often this was counted, now included. The key is a hash, because a session key is a secret."""
    key = f"budget:{hashlib.sha256(whose.encode()).hexdigest()}"
    try:
        return 1 if cache.add(key, 1, HOUR) else int(cache.incr(key))
    except ValueError:  # it expired meanwhile
        return 1
    except Exception as error:  # noqa: BLE001 - each backend has its own; its words may hold a password
        log.warning("The cache cannot be used, so nothing counts toward the hourly budgets: %s", type(error).__name__)
        return 0
