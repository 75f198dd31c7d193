"""What is left of a claim's support where only its evidence is known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.english.bare_claims import bare_source, is_denied, objection_kinds, reduced_support

EVIDENCE = "He taught for ten years in the city. Some men reached the goal."
KINDS = st.frozensets(st.sampled_from(["number", "negation", "order", "tense"]))


def doubts_of(claim, evidence=EVIDENCE):
    return objection_kinds(claim, bare_source(evidence, str), str)


@pytest.mark.parametrize(
    ("claim", "kinds"),
    [
        ("He taught for ten years in the city.", set()),
        ("He taught for twelve years in the city.", {"number"}),
        ("He did not teach there. All men reached the goal.", {"negation", "overgeneralised"}),
        ("years ten for taught He. city the in", {"order"}),
    ],
)
def test_wording_and_numbers_are_objected_to_sentence_by_sentence(claim, kinds):
    assert kinds <= doubts_of(claim)
    assert bool(kinds) == bool(doubts_of(claim))


def test_a_name_that_the_evidence_lacks_says_little_but_of_a_speaker_who_calls_nobody_he():
    assert doubts_of("For long, Vivekananda was a teacher in Chicago.") == frozenset()
    assert doubts_of("I work at Google in Bangalore.", "I join from an office in Bangalore.") == {"name"}
    assert doubts_of("I work at Google in Bangalore.", "I join from its office in Bangalore.") == frozenset()
    assert doubts_of("She works at Google in Bangalore.", "The office is in Bangalore.") == frozenset()


@given(st.floats(0, 1), KINDS, KINDS)
def test_more_kinds_leave_no_more_support_and_one_leaves_half_at_most(support, some, others):
    assert 0 <= reduced_support(support, some | others) <= reduced_support(support, some) <= support
    assert not some or reduced_support(support, some) <= 0.5


def test_what_the_evidence_has_otherwise_is_denied():
    assert is_denied(frozenset({"order", "number"}))
    assert not is_denied(frozenset({"order", "overgeneralised"}))
    assert not is_denied(frozenset())
