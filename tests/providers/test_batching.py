"""Callers share passes; an unwanted caller's rows are never computed; an error reaches only who was in the batch."""

import contextvars
import threading
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectorium.providers import cancellation
from lectorium.providers.batching import Batcher


class Gate:
    """Computes `row * 10`, each batch only once it is let through, and remembers the batches."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.arrived = threading.Event()
        self.open = threading.Event()

    def __call__(self, rows: Sequence[int]) -> list[int]:
        self.arrived.set()
        assert self.open.wait(10)
        self.batches.append([*rows])
        if 13 in rows:
            message = "thirteen"
            raise ValueError(message)
        return [row * 10 for row in rows]


@given(st.lists(st.lists(st.integers(1, 9), max_size=12), min_size=1, max_size=5), st.integers(9, 40))
def test_every_caller_gets_its_own_rows_in_order_and_batches_are_of_one_size_and_fit_the_room(
    calls: list[list[int]], room: int
) -> None:
    gate = Gate()
    gate.open.set()
    batcher = Batcher(gate, lambda row: row, room)
    answers = [batcher.submit(rows) for rows in calls]
    assert [answer.result(10) for answer in answers] == [[row * 10 for row in rows] for rows in calls]
    assert all(len(set(batch)) == 1 and sum(batch) <= room for batch in gate.batches)


@given(st.lists(st.lists(st.integers(1, 9), max_size=12), min_size=1, max_size=5), st.integers(9, 40))
def test_where_sizes_mix_batches_fit_the_room_and_no_two_that_follow_would_fit_together(
    calls: list[list[int]], room: int
) -> None:
    gate = Gate()
    batcher = Batcher(gate, lambda row: row, room, mixed=True)
    first = batcher.submit([9])
    assert gate.arrived.wait(10)
    answers = [batcher.submit(rows) for rows in calls]
    gate.open.set()
    assert first.result(10) == [90]
    assert [answer.result(10) for answer in answers] == [[row * 10 for row in rows] for rows in calls]
    sizes = [sum(batch) for batch in gate.batches[1:]]
    assert all(size <= room for size in sizes)
    assert all(size + following > room for size, following in pairwise(sizes))


def test_callers_who_come_together_share_a_batch() -> None:
    gate = Gate()
    batcher = Batcher(gate, lambda _: 1, room=10)
    first = batcher.submit([1])
    assert gate.arrived.wait(10)
    others = [batcher.submit([2, 3]), batcher.submit([4])]
    gate.open.set()
    assert first.result(10) == [10]
    assert [answer.result(10) for answer in others] == [[20, 30], [40]]
    assert sorted(map(sorted, gate.batches)) == [[1], [2, 3, 4]]


def test_what_a_caller_brings_later_goes_before_those_who_came_after_it() -> None:
    gate = Gate()
    batcher = Batcher(gate, lambda _: 1, room=1)
    context = contextvars.copy_context()
    context.run(cancellation.listen, threading.Event())
    first = context.run(batcher.submit, [1])
    assert gate.arrived.wait(10)
    others = [batcher.submit([2, 3]), context.run(batcher.submit, [4])]
    gate.open.set()
    assert [answer.result(10) for answer in (first, *others)] == [[10], [20, 30], [40]]
    assert gate.batches[:2] == [[1], [4]]


def test_a_caller_whose_widest_rows_are_of_another_size_does_not_hold_up_the_rest() -> None:
    gate = Gate()
    batcher = Batcher(gate, lambda row: row % 10, room=100)
    first = batcher.submit([1])
    assert gate.arrived.wait(10)
    others = [batcher.submit([12, 15]), batcher.submit([22, 27]), batcher.submit([35])]
    gate.open.set()
    assert first.result(10) == [10]
    assert [answer.result(10) for answer in others] == [[120, 150], [220, 270], [350]]
    assert gate.batches == [[1], [15, 35], [12], [27], [22]]


def test_rows_of_a_caller_who_stopped_are_not_computed() -> None:
    gate = Gate()
    batcher = Batcher(gate, lambda _: 1, room=1)
    signal = threading.Event()
    token = cancellation.listen(signal)
    answer = batcher.submit([1, 2, 3])
    token.var.reset(token)
    assert gate.arrived.wait(10)
    signal.set()
    gate.open.set()
    with pytest.raises(cancellation.StoppedError):
        answer.result(10)
    assert batcher.run([7]) == [70]
    assert len(gate.batches) == 2, "the row already under way, and the other caller's"


def test_a_cancelled_future_frees_the_thread_for_the_next_caller() -> None:
    gate = Gate()
    batcher = Batcher(gate, lambda _: 1, room=1)
    unwanted = batcher.submit([1, 2, 3])
    assert gate.arrived.wait(10)
    assert unwanted.cancel()
    gate.open.set()
    assert batcher.run([7]) == [70]
    assert [3] not in gate.batches[1:-1]
    assert len(gate.batches) == 2


def test_an_error_reaches_the_callers_of_its_batch_and_the_next_one_is_answered() -> None:
    gate = Gate()
    gate.open.set()
    batcher = Batcher(gate, lambda _: 1, room=4)
    with pytest.raises(ValueError, match="thirteen"):
        batcher.run([13, 1])
    assert batcher.run([2]) == [20]


@pytest.mark.parametrize("outputs", [[], [1], [1, 2, 3]])
def test_another_number_of_outputs_than_rows_is_an_error_of_the_batch_and_the_next_one_is_answered(
    outputs: list[int],
) -> None:
    batcher: Batcher[int, int] = Batcher(lambda rows: outputs if len(rows) > 1 else [*rows], lambda _: 1, room=4)
    with pytest.raises(ValueError, match=f"2 rows were to be computed, and {len(outputs)} outputs"):
        batcher.submit([7, 8]).result(10)
    thread = batcher._thread
    assert batcher.submit([9]).result(10) == [9]
    assert batcher._thread is thread
