"""Numbers in digits and in words."""

import pytest

from corpus.domain.text.numerals import cardinal, ordinal


@pytest.mark.parametrize(("word", "number"), [("13", 13), ("१३", 13), ("thirteen", 13), ("ninety", 90)])
def test_numbers_are_read(word, number):
    assert cardinal(word) == number


@pytest.mark.parametrize(
    ("word", "rank"), [("first", 1), ("2nd", 2), ("twelfth", 12), ("twentieth", 20), ("13th", 13), ("ninth", 9)]
)
def test_ranks_are_read(word, rank):
    assert ordinal(word) == rank


@pytest.mark.parametrize("word", ["", "th", "earth", "st", "²", "12345", "worth", "north"])
def test_other_words_are_no_number(word):
    assert cardinal(word) is None
    assert ordinal(word) is None
