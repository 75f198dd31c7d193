"""No reader and no address takes all the places at which questions are worked at."""

import asyncio
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.live.admission import ALL, FROM_ONE_PLACE, OWN, WAITING_MOST, AdmissionControl, TooManyTurns

HELD = []


def gate(at_once=2, of_a_reader=2, of_an_address=3):
    return AdmissionControl(at_once=at_once, of_a_reader=of_a_reader, of_an_address=of_an_address)


def enter(gate, reader="a", address="10.0.0.1"):
    place = ExitStack()
    place.enter_context(gate.admitted(reader=reader, address=address))
    HELD.append(place)  # one that nobody holds is left
    return place.close


def test_a_reader_has_so_many_and_one_more_when_one_ends():
    one = gate()
    leave = enter(one)
    enter(one)
    with pytest.raises(TooManyTurns, match=OWN):
        enter(one)
    leave()
    enter(one)


def test_many_sessions_of_one_address_count_together():
    one = gate()
    for reader in "abc":
        enter(one, reader)
    with pytest.raises(TooManyTurns, match=FROM_ONE_PLACE):
        enter(one, "d")
    enter(one, "d", "10.0.0.2")


def test_so_many_may_wait_and_then_the_next_is_told_at_once():
    one = gate(at_once=1, of_a_reader=1, of_an_address=1)
    for number in range(1 + WAITING_MOST):
        enter(one, f"reader {number}", f"10.0.0.{number}")
    with pytest.raises(TooManyTurns, match=ALL.partition(".")[0]) as refused:
        enter(one, "z", "10.0.1.1")
    assert refused.value.seconds == 60


async def test_turns_run_in_order_and_each_that_waits_is_told_its_place_as_it_moves_up():
    one, told, order, go_on = gate(at_once=1), [], [], asyncio.Event()

    async def work(name):
        async with one.working(lambda before: asyncio.sleep(0, told.append((name, before)))):
            order.append(name)
            await go_on.wait()
            await asyncio.sleep(0.01)

    running = [asyncio.create_task(work(name)) for name in "abc"]
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(*running)
    assert (order, told) == (["a", "b", "c"], [("b", 0), ("c", 1), ("c", 0)])


async def test_a_turn_far_back_in_a_long_line_is_told_its_place_only_now_and_then():
    control, told = gate(at_once=1), []

    async def work(name):
        async with control.working(lambda before: asyncio.sleep(0, told.append((name, before)))):
            await asyncio.sleep(0)

    await asyncio.gather(*(work(name) for name in range(66)))
    places = [before for name, before in told if name == 65]
    assert (places[0], places[-4:]) == (64, [3, 2, 1, 0])
    assert len(places) < 20


async def test_a_turn_that_is_cancelled_gives_up_its_slot_or_its_place_in_the_line():
    one, order = gate(at_once=1), []

    async def work(name):
        async with one.working():
            order.append(name)
            await asyncio.sleep(3600)

    running = {name: asyncio.create_task(work(name)) for name in "abcd"}
    await asyncio.sleep(0)
    for name in "ba":
        running[name].cancel()
    await asyncio.wait([running["a"], running["b"]])
    await asyncio.sleep(0)
    assert (order, one.is_waited_for) == (["a", "c"], True)
    running["d"].cancel()
    await asyncio.wait([running["d"]])
    assert not one.is_waited_for
    running["c"].cancel()


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xy"), st.booleans()), max_size=60))
def test_whoever_comes_and_goes_no_limit_is_ever_passed_and_nobody_is_counted_for_ever(steps):
    one, inside = gate(), []
    for reader, address, leaves in steps:
        if leaves and inside:
            inside.pop(0)[2]()
        try:
            inside.append((reader, address, enter(one, reader, address)))
        except TooManyTurns:
            assert [r for r, _, _ in inside].count(reader) == 2 or [a for _, a, _ in inside].count(address) == 3
        assert all([r for r, _, _ in inside].count(reader) <= 2 for reader in "abcd")
        assert all([a for _, a, _ in inside].count(address) <= 3 for address in "xy")
    for _, _, leave in inside:
        leave()
    assert not one._admitted
