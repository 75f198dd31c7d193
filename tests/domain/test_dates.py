"""Days as readers write them."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.dates import dates_in, in_words


@pytest.mark.parametrize(
    "written", ["1893-09-26", "26 September 1893", "26th of September, 1893", "September 26th, 1893", "Sept. 26, 1893"]
)
def test_a_day_is_read_in_its_common_forms(written):
    assert [day for day, _ in dates_in(f"The talk of {written}, please")] == [datetime.date(1893, 9, 26)]


@pytest.mark.parametrize("text", ["30 February 1893", "1893-13-01", "September 1893", "26/9/1893", "BG 2.13"])
def test_what_no_calendar_has_is_no_day(text):
    assert list(dates_in(text)) == []


@given(st.dates(min_value=datetime.date(1000, 1, 1)))
def test_what_is_said_in_words_is_read_again(day):
    assert [read for read, _ in dates_in(in_words(day))] == [day]


@given(st.text(max_size=100))
def test_no_text_breaks_it(text):
    list(dates_in(text))
