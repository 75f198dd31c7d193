"""Cursors of lists: what is written is read again, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from chat.api.domain.cursors import ListPosition, cursor_of, position_of


@given(some.text(), some.text())
def test_a_position_is_read_as_it_was_written_and_fits_an_address(value, key):
    cursor = cursor_of(ListPosition(value, key))
    assert cursor.replace("-", "").replace("_", "").isalnum()
    if len(cursor) <= 2000:
        assert position_of(cursor) == (value, key)


@given(some.text(max_size=40))
def test_any_other_text_is_a_value_error(text):
    try:
        position = position_of(text)
    except ValueError:
        return
    assert position_of(cursor_of(position)) == position


@pytest.mark.parametrize("cursor", ["", "x", "ä", "bnVsbA", "W10", "WzEsIDJd", "x" * 2001])
def test_a_text_without_a_position_is_refused(cursor):
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the reason
        position_of(cursor)
