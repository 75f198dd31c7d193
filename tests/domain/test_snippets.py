"""A quotation stands in its source word for word, or it is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.english.snippets import contains_word_for_word, find_quotation, quotations
from chat.answering.domain.words import sentences_in

TEXT = "Only Iblis refused — he would not bow. “I am better,” he said, “than Ādam the newly made man.” Then he left."


def found(quote):
    span = find_quotation(quote, sentences_in(TEXT, str))
    return span and TEXT[slice(*span)]


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("Only Iblis refused - he  would not bow", "Only Iblis refused — he would not bow"),
        ("better, he said, than adam", "better,” he said, “than Ādam"),
        ("Only Iblis refused … the newly made man", TEXT[: TEXT.index(".”")]),
        ("I AM BETTER", "I am better"),
    ],
)
def test_marks_spaces_case_and_diacritics_may_differ(quote, words):
    assert found(quote) == words


@pytest.mark.parametrize("quote", ["Iblis refused to bow", "newly made man … Only Iblis", "Only Ibli", "…", ""])
def test_other_words_another_order_and_half_words_are_no_quotation(quote):
    assert found(quote) is None


def test_quotations_are_found_between_any_marks():
    text = 'He said “one two three”, "four five six", «seven eight nine» and ‘ten eleven twelve’; “too short”.'
    assert list(quotations(text, words=3)) == [
        "one two three",
        "four five six",
        "seven eight nine",
        "ten eleven twelve",
    ]


@given(st.integers(0, 15), st.integers(1, 10))
def test_every_run_of_the_sources_words_is_found_where_it_stands(first, count):
    words = [word for sentence in sentences_in(TEXT, str) for word in sentence.words]
    run = words[first : first + count]
    assert found(TEXT[run[0].start : run[-1].end])


@given(st.text(max_size=60))
def test_any_text_can_be_looked_for(quote):
    find_quotation(quote, sentences_in(TEXT, str))


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("“I am better, he said, than Adam the newly made man.”", True),
        ("Only Iblis refused.", True),
        ("Only Iblis refused … the newly made man.", False),
        ("The newly made man. Then he left.", False),  # of two sentences
        ("Only Adam refused.", False),
        ("", False),
    ],
)
def test_a_text_stands_word_for_word_where_one_sentence_has_it_in_one_run(text, stands):
    assert contains_word_for_word(text, sentences_in(TEXT, str)) is stands
