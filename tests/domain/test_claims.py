"""A sentence comes apart into what it claims; what is one claim stays whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.claims import atomic_claims, draws_conclusion, is_framing
from chat.domain.words import words_in


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The soul is free; the body is bound.", ("The soul is free.", "The body is bound.")),
        ("He was born there and died in Belur.", ("He was born there.", "He died in Belur.")),
        (
            "Only Iblis refused to bow, and every angel was glad of it.",
            ("Only Iblis refused to bow.", "Every angel was glad of it."),
        ),
        (
            "Vivekananda, who visited Chicago in 1893, spoke at the Parliament.",
            ("Vivekananda spoke at the Parliament.", "Vivekananda visited Chicago in 1893."),
        ),
    ],
)
def test_joined_claims_come_apart_with_their_subject(sentence, claims):
    assert atomic_claims(sentence) == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "Rama and Krishna were kings.",
        "The star rises in the East, travelling west and rising again.",
        "He said: “The soul is free; the body is bound.”",
        "Love and serve.",
    ],
)
def test_one_claim_stays_whole(sentence):
    assert atomic_claims(sentence) == (sentence,)


@given(st.text(max_size=300))
def test_any_text_has_claims_and_none_is_empty(text):
    claims = atomic_claims(text)
    assert claims
    assert len(claims) == 1 or all(claim.strip(" .") for claim in claims)


def framing(text, asked=()):
    return is_framing(text, words_in(text, str), longest=12, asked=asked)


@pytest.mark.parametrize("text", ["Shall we look closer?", "Here is what they say.", "In short:"])
def test_what_asks_or_leads_over_claims_nothing(text):
    assert framing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did Krishna lie?",
        "Here are 40 kings.",
        "Love conquers.",
        "In short, the soul dies with the body.",
        "Did he not eat his own children?",
    ],
)
def test_what_names_numbers_states_or_brings_in_a_word_is_a_claim(text):
    assert not framing(text)


def test_the_readers_own_words_bring_in_nothing():
    assert framing("What is the soul, then?", asked={"soul"})


@pytest.mark.parametrize(
    "text",
    [
        "So the soul is free.",
        "Therefore, he refused.",
        "And so it lives for a thousand years.",
        "It follows that the tree is old.",
        "This suggests that the angels obeyed.",
        "Which implies a maker.",
        "From this it follows that he bowed.",
    ],
)
def test_a_sentence_that_opens_as_a_conclusion_draws_one(text):
    assert draws_conclusion(text)


@pytest.mark.parametrize(
    "text",
    [
        "So long as the tree lives, it grows.",
        "So great was his pride that he refused.",
        "Thus spoke the teacher.",
        "The soul is therefore free.",
        "Sophia bowed.",
        "He followed the river.",
    ],
)
def test_a_sentence_with_such_a_word_elsewhere_or_in_another_sense_draws_none(text):
    assert not draws_conclusion(text)
