"""Words in an order that nobody says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.english.word_order import stray_articles
from chat.answering.domain.words import words_in
from tests.domain.written import objected


def stray(text):
    return list(stray_articles(text, words_in(text, str)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("slain is body the when slain not is soul The", ["the"]),
        ("field the on Arjuna taught Krishna", ["the on"]),
        ("goal their to came men The", ["their to", "the"]),
        ("Steps eight of a is Yoga", ["a is"]),
    ],
)
def test_a_sentence_said_backwards_has_an_article_before_no_noun(text, found):
    assert stray(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "The soul is not slain when the body is slain.",
        "She holds the at-large seat.",
        "He praised the, as it were, highest good.",
        "Plan A is dearer than Plan A with salt.",
        "The will to believe is the being of the mind.",
        "It's been said.",
        "Dusza jest wieczna, a to nie jest ciało.",
        "A alma do homem e a do mundo.",
        "",
    ],
)
def test_what_people_write_has_none(text):
    assert stray(text) == []


@given(st.text(max_size=200))
def test_any_text_can_be_asked_about(text):
    assert all(word in text.lower() or " " in word for word in stray(text))


def test_a_claim_in_an_order_that_nobody_says_is_objected_to_unless_its_source_has_it():
    text = "Krishna taught Arjuna on the field. By the by, it rained."
    assert ("wording", "order") in objected("field the on Arjuna taught Krishna.", text)
    assert ("wording", "order") in objected("taught in those days were pupils The", text)
    assert objected("By the by, it rained.", text) == set()
