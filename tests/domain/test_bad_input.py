import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain import refusals
from chat.answering.domain.query.bad_input import bad_input
from chat.answering.domain.query.reply import ReplyKind

PARAGRAPH = (
    "The wise grieve neither for the living nor for the dead. There was never a time when I was not, nor you, nor "
    "these kings; and there will never be a time when we cease to be. As the dweller in the body passes through "
    "childhood, youth and age, so it passes to another body."
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("“”", ReplyKind.BAD_INPUT),
        ('"?!"', ReplyKind.BAD_INPUT),
        ("🤔🤔?!", ReplyKind.BAD_INPUT),
        ("a", ReplyKind.BAD_INPUT),
        ("к?", ReplyKind.BAD_INPUT),
        ("Что такое karma и 什么是 dharma", ReplyKind.BAD_INPUT),
        ("Что такое 什么是", ReplyKind.BAD_INPUT),
        (PARAGRAPH, ReplyKind.PASTED_TEXT),
    ],
)
def test_what_cannot_be_searched_is_answered_in_one_sentence(text, kind):
    reply = bad_input(text)
    assert reply.kind is kind
    assert reply.message[-1] in ".?"


@pytest.mark.parametrize(
    "text", ["आ त्मा", "What does कर्म mean?", "爱", "ok", "BG 2.13", f"{PARAGRAPH} What does this mean?", "what is 道?"]
)
def test_what_can_be_searched_is_let_through(text):
    assert bad_input(text) is None


def test_what_is_in_latin_letters_of_a_mixed_question_is_looked_for():
    assert bad_input("Что такое karma и 什么是 dharma").about == "karma dharma"


@given(st.text())
def test_any_text_is_read(text):
    assert refusals.ask_back(text).message
