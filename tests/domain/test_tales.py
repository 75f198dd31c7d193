import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.query.tales import tale_asked_for


@pytest.mark.parametrize(
    ("question", "tale"),
    [
        ("Tell me the story of the potter and her pots.", "the potter and her pots"),
        ("remind me of that tale with the goat", "the goat"),
        ("Can you retell the one about the station master?", "the station master"),
        ("how did that story go of the jealous engineer", "the jealous engineer"),
        ("What was the story about her aunt's lamp?", "her aunt's lamp"),
        ("Tell me about the night when the lamp stayed lit.", "the night when the lamp stayed lit"),
        ("tell me about the surgeon's son who makes chairs", "the surgeon's son who makes chairs"),
        ("please tell us a little story about patience", "patience"),
        ("Tell me a story.", "Tell me a story."),
    ],
)
def test_the_story_is_what_stands_behind_the_request_for_it(question, tale):
    assert tale_asked_for(question) == tale


@pytest.mark.parametrize(
    "question",
    [
        "Why do people tell stories?",
        "Tell me about karma-yoga.",
        "What did she tell the priest?",
        "Does the story of the potter prove anything?",
        "Remind me what dharma means.",
        "Give me the one reason for it.",
    ],
)
def test_other_questions_ask_for_no_story(question):
    assert tale_asked_for(question) == ""


@given(st.text())
def test_a_story_is_a_part_of_its_question(question):
    assert tale_asked_for(question) in question
