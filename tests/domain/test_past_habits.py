"""What a source says was so once is not so today."""

import pytest

from chat.answering.domain.english.past_habits import stated_as_present
from chat.answering.domain.words import sentences_in, words_in
from corpus.language import lexeme

SOURCE = "I used to work at Volkswagen. There used to be a mill by the river."


def found(claim, source=SOURCE):
    return stated_as_present(words_in(claim, lexeme), sentences_in(source, lexeme))


@pytest.mark.parametrize(
    ("claim", "verb"),
    [
        ("The user works at Volkswagen.", "works"),
        ("I work at Volkswagen.", "work"),
        ("There is a mill by the river.", "is"),
    ],
)
def test_a_habit_that_is_over_is_not_said_of_today(claim, verb):
    assert found(claim) == verb


@pytest.mark.parametrize(
    "claim",
    [
        "The user used to work at Volkswagen.",
        "The user worked at Volkswagen.",
        "The user once had work at Volkswagen.",
        "The user no longer works at Volkswagen.",
        "Volkswagen was where the user went to work.",
        "There was a mill by the river.",
    ],
)
def test_what_is_said_of_the_past_is_not_objected_to(claim):
    assert found(claim) == ""


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("He works at Google.", "He used to work at Volkswagen, and now he works at Google."),
        ("The knife cuts bread.", "It is a knife used to cut bread."),
        ("He cuts bread.", "He is used to cut bread by now."),
        ("He works at Volkswagen.", ""),
    ],
)
def test_where_the_source_may_say_it_of_today_nothing_is_objected_to(claim, source):
    assert found(claim, source) == ""
