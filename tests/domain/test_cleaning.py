"""What cleaning takes away, and what it must leave."""

from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.text.cleaning import clean, clean_lines, cleaned, paragraphs_of
from corpus.domain.text.traced import whole


def texts(source):
    return [paragraph.text for paragraph in paragraphs_of(whole(source))]


def test_invisible_characters_go_and_words_stay_whole():
    assert clean("con\u00adscious\u200bness\ufeff \x00\x07is\u202e one") == "consciousness is one"


def test_diacritics_are_composed_not_lost():
    assert clean("Kr\u0323s\u0323n\u0323a") == "Kṛṣṇa"


def test_compatibility_forms_become_plain_letters():
    assert clean("ﬁne Ⅳ ＡＢ …") == "fine IV AB ..."


def test_forms_that_change_what_a_number_or_a_word_says_stay():
    assert clean("10² people, ½ full, H₂O, Lectorium™, don´t") == "10² people, ½ full, H₂O, Lectorium™, don´t"


def test_joiners_stay_in_indic_and_persian_and_go_elsewhere():
    assert clean("क्\u200dष") == "क्\u200dष"
    assert clean("a\u200db") == "ab"


def test_lone_surrogates_that_no_database_takes_go():
    assert clean("a\ud800b") == "ab"


def test_white_space_of_every_kind_becomes_one_space():
    assert clean(" a\t\u00a0\r\n\u2003b ") == "a b"


def test_paragraphs_part_at_blank_lines_whatever_the_line_ends():
    assert texts("one\r\ntwo\r\n \r\n\r\nthree\r\rfour\n\n\n") == ["one two", "three", "four"]


def test_verse_keeps_its_lines():
    assert clean_lines("  first  line \r\n\n second\u00ad ") == "first line\nsecond"


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text):
    assert clean(clean(text)) == clean(text)
    clean(text).encode()


@given(st.text() | st.text("aZ9~! \t\n", max_size=12))
def test_a_text_that_needs_no_cleaning_is_told_at_a_glance(text):
    assert clean(text) == cleaned(whole(text)).text
