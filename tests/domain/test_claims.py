"""A sentence comes apart into what it claims; what is one claim stays whole."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.answering.domain.english.claims import atomic_claims, draws_conclusion, is_framing
from chat.answering.domain.words import words_in
from tests.domain.streams import words


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("The soul is free; the body is bound.", ("The soul is free.", "The body is bound.")),
        (
            "The ferry was not sold; in 1881, the mill was built.",
            ("The ferry was not sold.", "In 1881, the mill was built."),
        ),
        ("He was born there and died in Belur.", ("He was born there.", "He died in Belur.")),
        (
            "Only Iblis refused to bow, and every angel was glad of it.",
            ("Only Iblis refused to bow.", "Every angel was glad of it."),
        ),
        (
            "Vivekananda, who visited Chicago in 1893, spoke at the Parliament.",
            ("Vivekananda spoke at the Parliament.", "Vivekananda visited Chicago in 1893."),
        ),
        (
            "Buddha taught compassion, Christ taught love, and Krishna taught duty.",
            ("Buddha taught compassion.", "Christ taught love.", "Krishna taught duty."),
        ),
        (
            "He founded the school, wrote two books, and travelled east.",
            ("He founded the school.", "He wrote two books.", "He travelled east."),
        ),
    ],
)
def test_joined_claims_come_apart_with_their_subject(sentence, claims):
    assert atomic_claims(sentence) == claims


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Vivekananda says that the soul is eternal and that the body dies.",
            ("Vivekananda says that the soul is eternal.", "Vivekananda says that the body dies."),
        ),
        (
            "Vivekananda says that the soul is eternal and the body is mortal.",
            ("Vivekananda says that the soul is eternal.", "Vivekananda says that the body is mortal."),
        ),
        (
            "According to James, he is free and they are bound.",
            ("According to James, he is free.", "According to James, they are bound."),
        ),
        (
            "According to James, Buddha taught love, Christ taught faith, and Krishna taught duty.",
            (
                "According to James, Buddha taught love.",
                "According to James, Christ taught faith.",
                "According to James, Krishna taught duty.",
            ),
        ),
    ],
)
def test_what_somebody_says_stays_theirs_in_every_claim(sentence, claims):
    assert atomic_claims(sentence) == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "Rama and Krishna were kings.",
        "The monk who taught at Benares returned to his village.",
        "The man who came from Benares returned and taught the boys.",
        "He was taught by Krishna and praised by all.",
        "He did not stay there and returned at once.",
        "He may perhaps have stayed there and travelled east.",
        "Perhaps the soul is eternal and the body is mortal.",
        "He doubts that the soul is eternal and that the body dies.",
        "James did not say that the soul is real and that the body dies.",
        "When they say that the soul is real and that the body dies, he is glad.",
        "It is not true that the soul dies, and the body is eternal.",
        "If the soul is eternal, the body is mortal and the world is false.",
        "He says that he loves this tree and that one on the hill.",
        "He wrote a book, published in 1890, and travelled east.",
        "Buddha taught compassion, Christ taught love, and died.",
        "The star rises in the East, travelling west and rising again.",
        "He said: “The soul is free; the body is bound.”",
        "One went to Rome; the other, to Athens.",
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


WHO = ["He", "Krishna", "The king", "No monk", "Only Arjuna", "The man who came"]
DOES = [
    "wrote two books",
    "taught the boys",
    "is free",
    "was never praised",
    "may have left",
    "travelled east",
    "did not die",
]
LEADS = [
    "",
    "",
    "According to James, ",
    "James says that ",
    "He doubts that ",
    "Perhaps ",
    "If ",
    "It is not true that ",
]
JOINS = [" and ", ", and ", " and that ", ", ", "; ", ", but ", " while "]
DROPPED = {"and", "but", "while", "that", "who", "which"}


@st.composite
def joined(draw):
    """Clauses, some without their subject, joined somehow, under something that may hold for all of them."""
    text = draw(st.sampled_from(LEADS)) + f"{draw(st.sampled_from(WHO))} {draw(st.sampled_from(DOES))}"
    for _ in range(draw(st.integers(1, 3))):
        who = draw(st.sampled_from([*WHO, ""]))
        text += f"{draw(st.sampled_from(JOINS))}{who} {draw(st.sampled_from(DOES))}".replace("  ", " ")
    return text + "."


@settings(deadline=None)
@given(joined())
def test_a_claim_has_only_words_of_its_sentence_and_together_they_have_them_all(sentence):
    said = {word.casefold() for word in words(sentence)}
    claimed = {word.casefold() for claim in atomic_claims(sentence) for word in words(claim)}
    assert claimed <= said
    assert said - claimed <= DROPPED


@settings(deadline=None)
@given(joined())
def test_what_doubts_denies_or_supposes_the_first_clause_is_not_taken_from_the_next(sentence):
    claims = atomic_claims(sentence.replace("; ", " and ").replace(", and ", " and ").replace(", but ", " and "))
    for lead in ("He doubts that ", "Perhaps ", "If ", "It is not true that "):
        if sentence.startswith(lead):
            assert len(claims) == 1
    for lead in ("According to James, ", "James says that "):
        if sentence.startswith(lead) and not re.search(r", |; | while ", sentence.removeprefix(lead)):
            assert all(claim.startswith(lead) for claim in claims)


def framing(text, asked=()):
    return is_framing(text, words_in(text, str), longest=12, asked=asked)


@pytest.mark.parametrize("text", ["Shall we look closer?", "Here is what they say.", "In short:", "The answer:"])
def test_what_asks_or_leads_over_claims_nothing(text):
    assert framing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did Krishna lie?",
        "Here are 40 kings.",
        "Love conquers.",
        "The soul dies:",
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
