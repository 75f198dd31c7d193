"""How much a question names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.query.specificity import specificity
from chat.answering.domain.words import words_in


def share(text, rare=()):
    return specificity(words_in(text, str.casefold), rare)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What should people think about life?", 0.0),
        ("What did Vivekananda teach Nivedita?", 2 / 3),
        ("Which king ruled in 1893?", 1 / 3),
        ("Why does ātmā suffer?", 1 / 2),
        ("And so?", 0.0),
        ("", 0.0),
    ],
)
def test_names_numbers_and_transliterated_terms_make_a_question_specific(question, expected):
    assert share(question) == pytest.approx(expected)


def test_so_do_words_that_are_rare_in_the_corpus():
    assert share("Where does the banyan grow?", {"banyan"}) == pytest.approx(1 / 2)


@given(st.text(max_size=80))
def test_specificity_is_a_share(text):
    assert 0.0 <= share(text) <= 1.0
