import pytest

from audit.domain.gaps import Gap, feedback_gap, gap_of, reason_in_words
from audit.domain.noise import is_noise
from chat.answering.domain.evidence.evidence import Reason


@pytest.mark.parametrize(
    "text",
    [
        "heyyy", "hi there", "hello bot!", "thanks lol", "test", "test test", "asdf", "asdfgh jkl", "qwerty uiop",
        "sdkjfhskdjfh", "lalalala", "hahahaha", "aaaaaa", "zzz zzz", "bcdfg", "what asdfasdf", "the xcvbnm", "12345",
        "?!…", "", "good morning sir", "ok cool", "mnbvcxz", "jkjkjkjk",
    ],
)  # fmt: skip
def test_greetings_and_gibberish_are_noise(text):
    assert is_noise(text)


@pytest.mark.parametrize(
    "text",
    [
        "Who discovered penicillin?", "karma", "Kṛṣṇa", "Krishna", "Vrindavan", "Who am I?", "why?", "BG 2.47",
        "Was ist Dharma?", "धर्म क्या है", "Что такое дхарма?", "rhythm", "strengths of the soul", "yoga test",
        "hello, what is bhakti?", "Knightsbridge and the ferry", "Schwierigkeiten", "mississippi", "banana", "Ra",
        "where is Bethlehem", "什么是瑜伽",
    ],
)  # fmt: skip
def test_a_question_is_not_noise(text):
    assert not is_noise(text)


def test_noise_opens_no_gap():
    refused = {"outcome": "refused", "reason": "outside_corpus", "standalone_question": "asdf jkl", "nearest": []}
    assert gap_of(refused, {}) is None
    assert gap_of({**refused, "standalone_question": "Who built it?"}, {}) is not None


def test_an_answer_that_did_not_help_is_a_gap_and_a_refusal_is_one_already():
    answered = {"outcome": "grounded", "question": "Why?", "standalone_question": "Why did he bow?",
                "citations": [{"address": "A:1"}]}  # fmt: skip
    assert feedback_gap(answered) == Gap("feedback", "Why did he bow?", "not_helpful", nearest=("A:1",))
    assert feedback_gap({**answered, "outcome": "closest_passage"}) is None
    assert feedback_gap({**answered, "standalone_question": "hi"}) is None


def test_every_reason_is_told_to_editors_in_words():
    assert not [reason for reason in Reason if reason_in_words(reason.value) == reason.value]
    for reason in Reason:
        assert " " in reason_in_words(reason.value)
        assert reason_in_words(reason.value).endswith(".")
