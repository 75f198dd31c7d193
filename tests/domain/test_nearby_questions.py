"""What the passages around an answer suggest to ask: only what a reader would ask, and could not know already."""

import pytest

from chat.answering.domain.query.nearby_questions import NearbyPassage, nearby_questions, stands_alone
from corpus.language import lexeme


def suggested(*texts, quoted=(), known=()):
    return nearby_questions([NearbyPassage(text) for text in texts], quoted, {lexeme(word) for word in known}, lexeme)


@pytest.mark.parametrize(
    "question",
    [
        "Why should it be dangerous to do another person's work well?",
        "What does the Gītā say about the four kinds of work?",
        "Is the pillar allowed to leave the roof after all?",
    ],
)
def test_a_question_of_the_source_itself_is_offered_where_it_stands_alone(question):
    assert suggested(f"She began. {question} Listen.") == (question,)


@pytest.mark.parametrize(
    "question",
    [
        "Why did he do it?",
        "How shall we know which one has the upper hand?",
        "And what became of the second brother in the end?",
        "What is this field, and who knows it?",
        "Really?",
        "You have heard of Kurukṣetra, have you not, my friends?",
    ],
)
def test_a_question_that_leans_on_what_was_said_is_not(question):
    assert not stands_alone(question)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The word guṇa means a strand, as in a rope, and also a quality.", "What does guṇa mean?"),
        ("Yajña means an act whose result is given away. A yajña may be small.", "What does yajña mean?"),
        ("The buddhi is near. Buddhi is the part of us that decides and judges.", "What is buddhi?"),
        ("Let me tell you about a boy called Venkatesh, whom I taught.", "Who is Venkatesh?"),
        ("Sanjaya is the charioteer of the blind king.", "Who is Sanjaya?"),
    ],
)
def test_what_a_passage_defines_or_introduces_is_asked_about(text, expected):
    assert suggested(text) == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        "Practice is the pot.",
        "Arjuna is a kṣatriya who is about to run away from battle.",
        "Nothing is a surprise to the one who waits for it.",
        "A teacher called Mister Rao said so.",
    ],
)
def test_what_is_too_short_or_not_sure_to_be_a_thing_is_not(text):
    assert suggested(text) == ()


def test_what_the_reader_knows_is_not_asked_again():
    question = "What does a lover of God look like?"
    assert suggested(question, quoted=[f"{question} Like this."]) == ()
    assert suggested("The word guṇa means a strand, as in a rope, and also more.", known=["guna"]) == ()


def test_verses_beside_a_citation_come_last_by_their_address():
    passages = [NearbyPassage("What is work?", "BG 2.48"), NearbyPassage("What does a lover of God look like?")]
    assert nearby_questions(passages, (), set(), lexeme) == (
        "What does a lover of God look like?",
        "What does BG 2.48 say?",
    )
