"""Numbers are the same however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.numbers import numbers_in
from chat.answering.domain.words import words_in


def values(text):
    return [number.value for number in numbers_in(words_in(text, str))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two hundred million people", [200_000_000]),
        ("in 1,893 on the 3rd day", [1893, 3]),
        ("forty-two, and a hundred and five", [42, 105]),
        ("twenty five sons", [25]),
        ("two thousand three hundred and six", [2306]),
        ("two thousand and six, a million and one", [2006, 1_000_001]),
        ("nineteen hundred and two", [1902]),
        ("the 1890s, then two more", [1890, 2]),
        ("3.5 miles and a dozen eggs, twice", [3.5, 12, 2]),
        ("3 million", [3_000_000]),
        ("one and two", [1, 2]),
        ("at 11:35 nobody came", []),
    ],
)
def test_numbers_have_their_value(text, expected):
    assert values(text) == expected


@given(st.integers(0, 10**7))
def test_digits_are_read_with_and_without_commas(number):
    assert values(f"x {number} y") == values(f"x {number:,} y") == [number]


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    assert all(value >= 0 for value in values(text))
