import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.evidence.neighbours import goes_on, leans_on_neighbour, takes_back


def test_words_that_lean_are_told_from_words_that_stand():
    assert leans_on_neighbour("“He said so.")
    assert leans_on_neighbour("Therefore it is so.")
    assert not leans_on_neighbour("Hearing this, Arjuna wept.")


def test_a_question_does_not_go_on_with_what_was_said():
    assert goes_on("He said so.")
    assert not goes_on("But did he say so?")


@pytest.mark.parametrize(
    "text",
    [
        "It cannot mean that.",
        "But Buddha fought the castes.",
        "[Yet, we might say,] he takes the old ideas.",
        "This is quite a natural mistake.",
        "That isn’t so.",
        "On the contrary, the end is not to control the breath.",
    ],
)
def test_a_sentence_that_denies_or_narrows_takes_back(text):
    assert takes_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "It means just that.",
        "Arjuna does not want to fight.",
        "He went to the city by the old road and was not seen again.",
        "But is it so?",
    ],
)
def test_a_sentence_that_goes_on_or_begins_anew_takes_nothing_back(text):
    assert not takes_back(text)


@given(st.text(max_size=120))
def test_only_what_leans_takes_back(text):
    assert not takes_back(text) or leans_on_neighbour(text)
