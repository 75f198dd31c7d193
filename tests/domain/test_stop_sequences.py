"""Stop sequences: a text ends before the first of them, however it is split."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from chat.api.domain.stop_sequences import StopSequences


def cut(sequences, pieces):
    stop = StopSequences(sequences)
    return "".join(map(stop.feed, pieces)) + stop.flush()


@given(
    some.lists(some.text("ab[", max_size=6), max_size=8),
    some.lists(some.text("ab[", min_size=1, max_size=4), max_size=4),
)
def test_any_split_gives_the_text_before_the_first_sequence(pieces, sequences):
    whole = "".join(pieces)
    found = [
        (whole.find(sequence) + len(sequence), whole.find(sequence)) for sequence in sequences if sequence in whole
    ]
    assert cut(sequences, pieces) == whole[: min(found, default=(0, len(whole)))[1]]


def test_the_sequence_that_is_complete_first_counts_also_where_it_lies_within_another():
    assert cut(["abc", "b"], ["a", "bc"]) == cut(["abc", "b"], ["abc"]) == "a"


@pytest.mark.parametrize(
    ("pieces", "shown"), [(["One [", "1", "] two"], "One "), (["One [2", "] two"], "One [2] two"), (["One ["], "One [")]
)
def test_what_only_begins_a_sequence_is_held_back_and_sent_in_the_end(pieces, shown):
    assert cut(["[1]"], pieces) == shown


def test_nothing_is_held_back_without_a_sequence():
    assert StopSequences(()).feed("One [1]") == "One [1]"
