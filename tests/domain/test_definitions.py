import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.evidence.definitions import says_what_it_is, says_who_it_is


def test_a_definition_is_told_by_its_verb():
    assert says_what_it_is("dharma", "Dharma is what upholds.")
    assert says_what_it_is("karma yoga", "But karma-yoga means work without a claim.")
    assert not says_what_it_is("dharma", "Better one's own dharma done badly.")
    assert not says_what_it_is("", "It is so.")


@pytest.mark.parametrize(
    "text",
    [
        "It says: Madam, does karma-yoga mean that I should not ask for a fair wage?",
        "What karma-yoga is, who can say?”",
        "Karma-yoga is not idleness.",
    ],
)
def test_a_question_and_what_a_thing_is_not_define_nothing(text):
    assert not says_what_it_is("karma yoga", text)


@pytest.mark.parametrize(
    "text",
    [
        "Arjuna was a prince of the Pāṇḍavas.",
        "On the other side stands Arjuna, the third of five brothers.",
        "Arjuna, the finest archer of his age, lets go his bow.",
        "He speaks to his cousin and friend Arjuna.",
    ],
)
def test_a_person_is_introduced(text):
    assert says_who_it_is("arjuna", text)


@pytest.mark.parametrize(
    "text",
    [
        "Arjuna is told to fight.",
        "See, Arjuna, the warriors of both armies.",
        "Arjuna, the warriors are here.",
        "Arjuna, the elders, the teachers and the sons are here.",
        "Who said that Arjuna was a coward?",
        "He speaks of the words of Arjuna.",
        "Kṛṣṇa is a friend.",
    ],
)
def test_a_person_who_is_only_spoken_of_or_to_is_not_introduced(text):
    assert not says_who_it_is("arjuna", text)


def test_nobody_is_introduced_where_nobody_is_asked_about():
    assert not says_who_it_is("", "She is a queen, the last of her line.")


@given(st.text(max_size=80), st.text(max_size=200))
def test_any_name_and_any_text_may_be_asked_about(name, text):
    assert says_who_it_is(name, text) in (True, False)
    assert says_what_it_is(name, text) in (True, False)
