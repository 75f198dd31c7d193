"""Where a text stood in its source is known through every change."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.text.cleaning import clean, cleaned, paragraphs_of
from corpus.domain.text.traced import joined, storable, whole

TEXT = st.text(st.sampled_from("abc ﬁ½\u00ad\u200bé\u0301e\n\r\t²K\u0323\u0000[]क्ष…"), max_size=30) | st.text(
    max_size=20
)


def stood(traced, source, words):
    start = traced.text.index(words)
    return source[slice(*traced.source_span(start, start + len(words)))]


def test_a_cleaned_quote_is_found_in_the_source_as_it_was_written():
    source = "  The con\u00adscious\n self,  Kr\u0323s\u0323n\u0323a\u200b said: ﬁnd  it."
    text = cleaned(whole(source))
    assert text.text == "The conscious self, Kṛṣṇa said: find it."
    assert stood(text, source, "conscious self") == "con\u00adscious\n self"
    assert stood(text, source, "Kṛṣṇa") == "Kr\u0323s\u0323n\u0323a"
    assert stood(text, source, "find") == "ﬁnd"


def test_a_replacement_keeps_what_it_has_in_common_with_the_old():
    source = "one two three"
    text = whole(source).replaced(re.compile("two"), lambda _: "t-o")
    assert stood(text, source, "-") == "w"
    assert stood(text, source, "t-") == "tw"


def test_what_was_added_stands_nowhere():
    text = joined([whole("a"), whole("b", 5)], " ")
    assert text.source_span(1, 2) is None
    assert text.source_span(0, 3) == (0, 6)


def test_a_text_that_is_its_own_source_needs_no_second_copy():
    assert whole("abc", 4).source_in("xxx abc") == ""
    assert cleaned(whole("a  b", 2)).source_in("x a  b") == "a  b"


def test_what_no_database_takes_is_replaced_character_for_character():
    assert storable("a\x00b\ud800c") == "a\u2400b\ufffdc"


@given(TEXT)
def test_every_clean_character_came_from_a_source_that_cleans_to_it(source):
    text = cleaned(whole(source))
    assert text.text == clean(source)
    for position, character in enumerate(text.text):
        span = text.source_span(position, position + 1)
        assert span is not None
        assert 0 <= span[0] < span[1] <= len(source)
        stood = source[slice(*span)]
        assert character == stood or character.isspace() or character in clean(stood) or clean(stood) == ""


def test_an_empty_cut_has_no_pieces():
    assert cleaned(whole("ﬁ  ne")).cut(1, 1).pieces == ()
    assert all(piece.start < piece.end for piece in cleaned(whole("\u1680 \u200b ﬁ  \u00ad x")).pieces)


@given(TEXT)
def test_spans_of_the_source_run_forward(source):
    spans = [(p.source_start, p.source_end) for part in paragraphs_of(whole(source)) for p in part.pieces]
    assert spans == sorted(spans)
    assert all(a[1] <= b[0] or a == b for a, b in pairwise(spans))


@given(TEXT, st.integers(0, 30), st.integers(0, 30))
def test_a_cut_stands_where_it_stood_in_the_whole(source, a, b):
    text = cleaned(whole(source))
    start, end = sorted((min(a, len(text.text)), min(b, len(text.text))))
    part = text.cut(start, end)
    assert part.text == text.text[start:end]
    if start < end:
        assert part.source_span(0, end - start) == text.source_span(start, end)
