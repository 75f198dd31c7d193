import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.language import lexemes
from curation.domain.sameness import asks_the_same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How many people came?", "Can you tell me the number of people that came?"),
        ("When was the hall built?", "In what year was the hall built?"),
        ("Who built the hall?", "By whom was the hall built?"),
        ("What is karma yoga?", "what's Karma-Yoga"),
    ],
)
def test_the_same_question_in_other_words_is_the_same(one, other):
    assert asks_the_same(one, other, lexemes)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("When was the hall built?", "Who built the hall?"),
        ("When was he born?", "When did he die?"),
        ("Who funds the secretary?", "Who funds the deputy secretary?"),
        ("What came after the flood?", "What came before the flood?"),
        ("Should one eat meat?", "Should one not eat meat?"),
        ("Why do we work?", "Why don't we work?"),
        ("What is one reason?", "What is another reason?"),
    ],
)
def test_what_only_looks_alike_is_not_the_same(one, other):
    assert not asks_the_same(one, other, lexemes)


@given(st.text(max_size=60), st.text(max_size=60))
def test_sameness_has_no_side_and_every_text_is_the_same_as_itself(one, other):
    assert asks_the_same(one, one, lexemes)
    assert asks_the_same(one, other, lexemes) == asks_the_same(other, one, lexemes)
