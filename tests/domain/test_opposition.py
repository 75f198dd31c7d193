import pytest

from chat.answering.domain.evidence.opposition import (
    OppositionRules,
    have_one_subject,
    opposed_in_reading,
    opposed_in_words,
)
from corpus.language import lexeme

RULES = OppositionRules()
FORTY = "Forty students came to the first class."


def decided(one, other):
    return opposed_in_words(one, other, lexeme, RULES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The soul does not die when the body dies.", "The soul dies with the body."),
        ("To the first class there came only twelve students.", FORTY),
        ("The best hour for meditation is before sunrise.", "The worst hour for meditation is before sunrise."),
        ("The king forgave his brother on the last day.", "The king never forgave his brother."),
        ("Knowledge is higher than work.", "Work is higher than knowledge."),
    ],
)
def test_words_tell_that_two_sentences_say_opposite_things(one, other):
    assert decided(one, other)
    assert decided(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FORTY, "Twelve of the students stayed until the last class."),
        ("The soul does not die when the body dies.", "The self is not born, nor does it ever die."),
        ("The temple was begun by Ramdas.", "The son of Ramdas finished the temple."),
        ("Does the soul die with the body?", "The soul does not die with the body."),
        ("Forty came.", "Twelve came."),
        ("BG 16.21 says that the gate of hell is anger and greed.", "The two gates of hell are anger and greed."),
        ("A steady person is not bewildered.", "Arjuna asks him to describe a steady person."),
        ("", FORTY),
    ],
)
def test_what_may_both_hold_is_not_opposed(one, other):
    assert not decided(one, other)


def test_a_verifier_reads_statements_with_half_of_their_words_in_common():
    one = "The mind can be controlled by practice."
    assert have_one_subject(one, "The mind cannot be controlled, whatever one does.", lexeme, RULES)
    assert not have_one_subject(one, "The mind is restless.", lexeme, RULES)
    assert not have_one_subject(one, "Can the mind be controlled by practice?", lexeme, RULES)


def test_a_verifier_must_be_sure_of_one_direction_and_not_deny_the_other():
    assert opposed_in_reading(RULES.contrary, RULES.contrary_back, RULES)
    assert opposed_in_reading(RULES.contrary_back, RULES.contrary, RULES)
    assert not opposed_in_reading(0.99, RULES.contrary_back - 0.01, RULES)
    assert not opposed_in_reading(RULES.contrary - 0.01, RULES.contrary - 0.01, RULES)
