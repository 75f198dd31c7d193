"""A passage that says the question again is no nearer to an answer."""

from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.evidence.echo import echo_spans, without_echoes

QUESTION = "Why did Arjuna put down his bow?"


def kept(text, question=QUESTION):
    return " ".join(without_echoes(text, question).split())


def test_the_question_itself_is_left_out_and_what_follows_stays_in_its_place():
    text = f"{QUESTION} It was sold to a printer in 1931."
    assert kept(text) == "It was sold to a printer in 1931."
    assert without_echoes(text, QUESTION).index("It") == text.index("It")


def test_the_question_within_a_longer_sentence_or_nearly_as_it_was_asked_is_left_out():
    assert kept("So why did Arjuna put down his bow, you ask. He was bribed.") == "He was bribed."
    assert kept("And Arjuna, why would he put the bow down? He was bribed.") == "He was bribed."


def test_a_question_typed_without_its_mark_is_known_by_its_first_word():
    text = "how am i to sit The answer is plain: nothing. The back is straight."
    assert kept(text, "How am I to sit") == "The back is straight."


def test_the_asking_part_of_a_question_of_two_sentences_is_known():
    question = "The opening sounds harsh. What comparison softens it?"
    assert kept(f"{question} All of it is told of another.", question) == (
        "The opening sounds harsh. All of it is told of another."
    )


def test_an_answer_in_the_words_of_the_question_stays():
    text = "Arjuna put down his bow. He put down his bow out of grief."
    assert kept(text) == text


def test_a_sentence_that_was_typed_to_be_found_is_found():
    assert kept("The soul is never born and never dies.", "the soul is never born and never dies") != ""


def test_a_lecturer_may_ask_a_short_question_and_answer_it():
    text = "What is dharma? Dharma is what upholds."
    assert kept(text, "What is dharma?") == text


def test_another_question_about_the_same_thing_stays():
    text = "Why did Arjuna weep before his teachers, and why did he put down his bow at Kurukṣetra?"
    assert kept(text) == text


@given(st.text(), st.text())
def test_every_other_character_keeps_its_place(text, question):
    found = without_echoes(text, question)
    assert len(found) == len(text)
    blank = {place for start, end in echo_spans(text, question) for place in range(start, end)}
    assert all(found[place] == (" " if place in blank else text[place]) for place in range(len(text)))
