import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.byte_range import ByteRange, RangeNotSatisfiableError, parse_byte_range


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("bytes=0-9", ByteRange(0, 9)),
        ("bytes=90-", ByteRange(90, 99)),
        ("bytes=-10", ByteRange(90, 99)),
        ("bytes=-1000", ByteRange(0, 99)),
        ("bytes=50-1000", ByteRange(50, 99)),
        ("bytes=0-0", ByteRange(0, 0)),
    ],
)
def test_a_range_names_its_first_and_last_byte(header, expected):
    assert parse_byte_range(header, 100) == expected


@pytest.mark.parametrize(
    "header",
    ["", "bytes", "bytes=-", "bytes=a-b", "bytes=9-0", "bytes=0-1,5-6", "items=0-9", "bytes=0-9x", "bytes=١-٢"],
)
def test_a_header_that_is_malformed_or_asks_for_several_ranges_is_passed_over(header):
    assert parse_byte_range(header, 100) is None


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=100-200", "bytes=-0"])
def test_a_range_outside_the_file_cannot_be_satisfied(header):
    with pytest.raises(RangeNotSatisfiableError):
        parse_byte_range(header, 100)


def test_nothing_of_an_empty_file_can_be_sent_in_part():
    with pytest.raises(RangeNotSatisfiableError):
        parse_byte_range("bytes=0-", 0)


@given(st.text(max_size=40) | st.from_regex(r"bytes=\d{0,25}-\d{0,25}", fullmatch=True), st.integers(0, 10_000))
def test_whatever_is_asked_for_lies_within_the_file(header, size):
    try:
        part = parse_byte_range(header, size)
    except RangeNotSatisfiableError:
        return
    assert part is None or (0 <= part.first <= part.last < size and len(part) == part.last - part.first + 1)
