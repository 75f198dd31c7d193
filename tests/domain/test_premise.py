"""What a question takes for granted by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.evidence.premise import names_share, takes_names_for_granted
from chat.answering.domain.terms import evidence_terms
from chat.answering.domain.words import words_in
from corpus.language import lexeme

ELWOOD = "Thomas Elwood read to Milton, whom he served as a secretary."
NELSON = "John Nelson was exhausted by his struggle."


def share(question, *passages):
    return names_share(words_in(question, lexeme), [evidence_terms([words_in(text, lexeme)]) for text in passages])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which poet did Thomas Elwood serve as secretary?", 1),
        ("Which poet did Horatio Elwood serve as secretary?", 0.5),
        ("Which poet did Horatio Hornblower serve as secretary?", 0),
        ("Whom did the secretary serve?", 1),
    ],
)
def test_a_question_is_held_to_its_names(question, expected):
    assert share(question, NELSON, ELWOOD) == expected


def test_the_names_of_a_question_must_stand_together():
    assert share("How did Nelson meet Elwood?", NELSON, ELWOOD) == 0.5


def test_what_is_only_written_large_names_nothing():
    assert not takes_names_for_granted(words_in("Is it OK to ask God in Sanskrit?", lexeme))
    assert share("Is it OK that Elwood read to God?", ELWOOD) == 1


def test_nothing_found_holds_no_name():
    assert share("Which poet did Thomas Elwood serve?") == 0


@pytest.mark.parametrize(
    ("question", "names"),
    [("What is the use of breath?", False), ("What did Spinoza think?", True), ("What happened in 1893?", True)],
)
def test_only_names_and_numbers_are_taken_for_granted(question, names):
    assert takes_names_for_granted(words_in(question, lexeme)) is names


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=3))
def test_a_share_is_a_share(question, passages):
    assert 0 <= share(question, *passages) <= 1
