"""What a search shows of a passage is the passage's own words, whole sentences of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.words import sentences_in
from chat.search.extract import extract_of

TEXT = (
    "The river was low that year. Nobody swam in it. The ferryman sang at night, and the river listened. "
    "Then came the rain. The rain and the river and the ferryman were one."
)


def shown(wanted, most=60, text=TEXT):
    found = extract_of(sentences_in(text, str), wanted, most)
    return text[slice(*found.span)], [text[slice(*match)] for match in found.matches]


def test_it_begins_where_the_most_of_what_was_looked_for_stands_together():
    assert shown({"ferryman", "rain"}) == (
        "The rain and the river and the ferryman were one.",
        ["rain", "ferryman"],
    )


def test_sentences_that_follow_come_along_as_far_as_there_is_room():
    assert shown({"swam"}, most=80)[0] == "Nobody swam in it. The ferryman sang at night, and the river listened."


def test_of_places_that_hold_as_much_the_first_is_shown():
    assert shown({"river"})[0] == "The river was low that year. Nobody swam in it."


def test_without_any_of_the_words_the_passage_begins():
    assert shown({"camel"}) == ("The river was low that year. Nobody swam in it.", [])


def test_a_sentence_that_is_longer_than_the_room_is_not_cut():
    assert shown({"listened"}, most=10)[0] == "The ferryman sang at night, and the river listened."


@pytest.mark.parametrize("wanted", [set(), {"the"}, {"one", "low"}])
def test_its_pieces_are_its_words_again(wanted):
    found = extract_of(sentences_in(TEXT, str), wanted)
    pieces = found.pieces(TEXT)
    assert "".join(text for text, _ in pieces) == TEXT[slice(*found.span)]
    assert {text.lower() for text, looked_for in pieces if looked_for} == wanted


@given(st.text(min_size=1).filter(str.strip), st.integers(1, 50))
def test_whatever_the_text_is_an_extract_is_whole_sentences_of_it(text, most):
    sentences = sentences_in(text, str)
    found = extract_of(sentences, {word.stem for sentence in sentences for word in sentence.words[:1]}, most)
    assert found.span[0] in {sentence.span[0] for sentence in sentences}
    assert found.span[1] in {sentence.span[1] for sentence in sentences}
    assert "".join(piece for piece, _ in found.pieces(text)) == text[slice(*found.span)]
