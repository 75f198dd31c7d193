"""A text's words as the checks compare them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.words import words_in


def said(text):
    return [word.folded for word in words_in(text, str)]


@pytest.mark.parametrize(
    ("joined", "full"),
    [
        ("The mind doesn't rest.", "The mind does not rest."),
        ("It CAN’T be so.", "It can not be so."),
        ("It cannot be so.", "It can not be so."),
        ("They won't go.", "They will not go."),
        ("They’re here; we've seen.", "They are here; we have seen."),
        ("I'm sure they'll come.", "I am sure they will come."),
    ],
)
def test_a_contraction_is_the_words_it_joins(joined, full):
    assert said(joined) == said(full)


@pytest.mark.parametrize("text", ["Krishna's chariot", "at five o'clock", "It's his", "a canot", "the ant"])
def test_what_joins_no_verb_and_denial_stays_one_word(text):
    assert len(said(text)) == len(text.split())


@given(st.text(alphabet="abnotcdwre'’ ", max_size=40))
def test_every_word_has_its_place_in_the_text_in_order(text):
    places = [(word.start, word.end) for word in words_in(text, str)]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
