import pytest

from chat.answering.domain.query.readings import (
    ReadingRules,
    as_written,
    people_called,
    propose_readings,
    with_somebody,
)
from chat.answering.domain.query.vagueness import vague_question

RULES = ReadingRules()


def proposed(about, *passages):
    return [reading.question for reading in propose_readings(about, passages, RULES)]


def test_a_definition_near_the_topic_comes_first_and_then_what_a_lecture_asks():
    passages = ("So what binds a person to karma? Much.", "Karma is the law of deeds. It was old.")
    assert proposed("karma", *passages) == ["What binds a person to karma?", "What is karma?"]


def test_what_is_not_about_the_topic_is_left_out():
    assert proposed("bhakti", "Karma is the law of deeds.", "Bhakti is a love of God.") == ["What is bhakti?"]


@pytest.mark.parametrize(
    "text",
    ["Do you see?", "What did he say then?", "Is that so?", "Why should I tell you of the mind?", "It is the self.",
     "This is a question.", "Nothing is an end.", "Why, my friends, does your mind run?"],
)  # fmt: skip
def test_what_points_elsewhere_or_is_said_to_the_audience_is_no_reading(text):
    assert proposed("", text) == []


def test_a_reading_is_never_vague_itself_and_comes_once():
    found = proposed("", "The self is the witness. The self is the witness.", "How can the mind be stilled at last?")
    assert found == ["What is the self?", "How can the mind be stilled at last?"]
    assert not any(map(vague_question, found))


def test_whom_the_passages_call_king_stands_for_the_king():
    names = people_called("the king", "Then King Janaka and the king Yudhishthira spoke to the king.")
    assert names == ("King Janaka", "King Yudhishthira")
    assert (
        with_somebody("Tell me the story about the king.", "the king", names)[0]
        == "Tell me the story about King Janaka."
    )


def test_a_topic_that_is_a_name_is_asked_about_as_somebody():
    texts = ("The charioteer is Krishna, and he smiles.", "He told Krishna that karma is a law.")
    assert (as_written("krishna", texts), as_written("karma", texts)) == ("Krishna", "karma")
    assert proposed("Krishna", "There Krishna is the charioteer.") == ["Who is Krishna?"]
