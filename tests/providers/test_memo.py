import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectorium.providers.memo import Memo


@given(st.lists(st.lists(st.integers(0, 9))), st.integers(0, 5))
def test_every_key_gets_its_value_and_none_is_computed_twice_in_a_row(calls, most):
    remembered, last = Memo(most), []

    def double(keys):
        assert len(set(keys)) == len(keys)
        assert not set(keys) & set(last)
        return [2 * key for key in keys]

    for keys in calls:
        assert remembered.of(keys, double) == [2 * key for key in keys]
        last = list(dict.fromkeys(reversed(keys)))[:most]


def test_the_keys_asked_for_longest_ago_are_forgotten():
    computed, remembered = [], Memo(2)

    def note(keys):
        computed.extend(keys)
        return keys

    for key in "abacb":
        remembered.of([key], note)
    assert computed == ["a", "b", "c", "b"]


def test_what_could_not_be_computed_is_not_remembered():
    remembered = Memo(9)

    def broken(keys):
        raise OSError("no weights")

    with pytest.raises(OSError, match="no weights"):
        remembered.of(["a"], broken)
    assert remembered.of(["a"], lambda keys: ["A"]) == ["A"]


def test_threads_may_ask_at_once():
    remembered, wrong = Memo(8), []

    def ask():
        for number in range(300):
            keys = [number % 11, number % 7]
            if remembered.of(keys, lambda new: [-key for key in new]) != [-key for key in keys]:
                wrong.append(keys)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert wrong == []
