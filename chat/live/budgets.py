"""Budgets: how many questions and searches a reader, a network address and the whole site have in an hour."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from chat.live.admission import TooManyTurns
from lectorium.web.hourly_counts import count_in_hour, seconds_left

ACCOUNT = "account "  # how `reader` begins for an account; a visitor's is the key of their session
VISITORS = (
    "Readers without an account have asked as many questions as they may in an hour. Sign in, or go on in {minutes} "
    "minutes."
)


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
    for whose, limit, said in _limits(budget, reader, address):
        most = getattr(settings, f"{budget.setting}_{limit}")
        if most and (count_in_hour(f"{budget.setting} {whose}") or 0) > most:
            left = seconds_left()
            raise TooManyTurns(said.format(minutes=-(-left // 60)), seconds=left)


def _limits(budget: HourlyBudget, reader: str, address: str) -> Iterator[tuple[str, str, str]]:
    """(whose, end of the setting, what is said) of each limit that counts for a reader."""
    of_a_reader, of_an_address, of_the_site = budget.said
    is_visitor = budget is QUESTIONS and not reader.startswith(ACCOUNT)
    yield f"reader {reader}", "OF_A_VISITOR" if is_visitor else "OF_A_READER", of_a_reader
    yield f"address {address}", "OF_AN_ADDRESS", of_an_address
    if is_visitor:
        yield "visitors", "OF_VISITORS", VISITORS
    yield "site", "OF_THE_SITE", of_the_site
