from contextlib import aclosing

import pytest

from lectorium.providers.deadlines import Breaker, Deadlines, retry_after_seconds, with_retries
from lectorium.providers.errors import CircuitOpen, CutOff, RateLimited, ServerFault, TooSlow, WrongKey
from lectorium.providers.protocols import Piece

NO_WAIT = Deadlines(first_wait=0.0)


class BreakerClock:
    now = 100.0

    def __call__(self):
        return self.now


def attempts_of(*scripts):
    """Return what starts one attempt after another: each says its texts and raises its errors."""
    remaining = list(scripts)

    async def attempt():
        for item in remaining.pop(0):
            if isinstance(item, Exception):
                raise item
            yield Piece(item)

    return attempt, remaining


async def heard(attempt, breaker=None):
    async with aclosing(with_retries("m", attempt, NO_WAIT, breaker or Breaker())) as pieces:
        return [piece.text async for piece in pieces]


async def test_a_passing_fault_is_tried_again_and_a_lasting_one_is_not():
    attempt, left = attempts_of([ServerFault("x")], [ServerFault("x")], ["yes"])
    assert await heard(attempt) == ["yes"]
    attempt, left = attempts_of([WrongKey("x")], ["yes"])
    with pytest.raises(WrongKey):
        await heard(attempt)
    assert len(left) == 1


async def test_who_waited_in_vain_once_does_not_wait_again():
    attempt, left = attempts_of([TooSlow("x")], ["yes"])
    with pytest.raises(TooSlow):
        await heard(attempt)
    assert len(left) == 1


async def test_no_more_than_the_allowed_attempts_are_made():
    attempt, left = attempts_of(*[[ServerFault("x")]] * 5)
    with pytest.raises(ServerFault):
        await heard(attempt)
    assert len(left) == 5 - NO_WAIT.attempts


async def test_nothing_is_said_twice():
    attempt, left = attempts_of(["half", CutOff("x")], ["half", " whole"])
    with pytest.raises(CutOff):
        await heard(attempt)
    assert len(left) == 1


def test_waits_grow_up_to_a_bound_and_are_spread():
    patience = Deadlines(attempts=9, first_wait=1.0, longest_wait=4.0)
    for attempt, longest in ((2, 1.0), (3, 2.0), (4, 4.0), (9, 4.0)):
        waits = {patience.wait_before(attempt, ServerFault("x")) for _ in range(20)}
        assert len(waits) > 1
        assert all(longest / 2 <= wait <= longest for wait in waits)
    assert patience.wait_before(10, ServerFault("x")) is None


def test_the_wait_a_service_asks_for_is_kept_or_the_service_given_up():
    patience = Deadlines(longest_wait=4.0)
    assert patience.wait_before(2, RateLimited("x", retry_after=3.0)) == 3.0
    assert patience.wait_before(2, RateLimited("x", retry_after=60.0)) is None


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("nan", 0.0), ("Wed, 21 Oct 2015 07:28:00 GMT", None)],
)
def test_a_service_asks_for_seconds_and_a_date_counts_as_unsaid(said, seconds):
    assert retry_after_seconds({"retry-after": said}) == seconds
    assert retry_after_seconds({}) is None


def test_a_breaker_opens_after_failures_in_a_row_and_lets_one_call_try_after_a_rest():
    clock = BreakerClock()
    breaker = Breaker(limit=2, rest=30, clock=clock)
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    breaker.check("m")
    breaker.failed()
    with pytest.raises(CircuitOpen, match="another 30 s"):
        breaker.check("m")
    clock.now += 31
    breaker.check("m")
    with pytest.raises(CircuitOpen):
        breaker.check("m")
    breaker.succeeded()
    breaker.check("m")
