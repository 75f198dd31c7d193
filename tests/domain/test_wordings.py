"""Suggested wordings: junk is dropped line by line."""

import pytest

from corpus.domain.text.folding import fold
from curation.domain.wordings import WordingRules, new_wordings, wordings_in

RULES = WordingRules()


def test_one_question_a_line_is_kept_without_bullets_numbers_and_quotes():
    answer = "1. What is the soul?\n- “Who am I really?”\n* **What makes me alive?**\n(4) आत्मा क्या है?"
    assert wordings_in(answer, RULES) == [
        "What is the soul?", "Who am I really?", "What makes me alive?", "आत्मा क्या है?",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "Here are some other ways to ask it:",
        "Sure! Would you like more of them?",
        "The soul is eternal.",
        "Rewording: what is the soul?",
        "Why?",
        "?????????",
        '{"question": "What is the soul?"}',
        "<b>What is the soul?</b>",
        "Have you seen https://example.org/soul?",
        "What is " + "very " * 60 + "old?",
        "",
    ],
)
def test_anything_but_a_single_question_is_dropped_and_the_others_stay(line):
    assert new_wordings(wordings_in(f"{line}\nWhat is the self?", RULES), (), fold, RULES) == ["What is the self?"]


def test_a_wording_that_the_pin_has_and_one_that_comes_twice_are_left_out():
    texts = ["What is the Self?", "what is  the self?", "Who am I?", "Who is it?"]
    assert new_wordings(texts, ["who am I"], fold, RULES) == ["What is the Self?", "Who is it?"]
    assert new_wordings(texts, [], fold, WordingRules(shown=1)) == ["What is the Self?"]
