import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.duplicates import DuplicateRules, is_duplicate, is_retranscription, likeness, wordings

RULES = DuplicateRules()
TALK = " ".join(f"word{n}" for n in range(200))


def are_duplicates(one, other):
    alike = likeness(wordings(one, RULES.words), wordings(other, RULES.words))
    return is_duplicate(alike, one, other, RULES)


def test_one_word_in_two_hundred_leaves_a_duplicate_and_ten_do_not():
    assert are_duplicates(TALK, TALK.replace("word50", "another"))
    assert not are_duplicates(TALK, TALK.replace("word5", "another"))


@pytest.mark.parametrize(
    ("said", "turned"), [("he did say", "he did not say"), ("in 1893 he came", "in 1894 he came"), ("i will", "i wont")]
)
def test_texts_that_differ_in_a_number_or_a_negation_are_never_duplicates(said, turned):
    assert are_duplicates(f"{TALK} {said}", f"{TALK} {said}")
    assert not are_duplicates(f"{TALK} {said}", f"{TALK} {turned}")


def test_short_texts_are_compared_whole():
    assert wordings("jesus wept", 3) == {"jesus wept"}
    assert likeness(wordings("jesus wept", 3), wordings("jesus wept", 3)) == 1.0
    assert likeness(wordings("", 3), wordings("", 3)) == 0.0


def test_a_transcript_heard_anew_is_the_same_talk_and_another_talk_is_not():
    assert is_retranscription(TALK, " ".join(w if n % 20 else "heard" for n, w in enumerate(TALK.split())), RULES)
    assert not is_retranscription(TALK, " ".join(f"other{n}" for n in range(200)), RULES)


@given(st.text(), st.text())
def test_likeness_is_symmetric_and_one_only_for_equal_wordings(one, other):
    these, those = wordings(one, 3), wordings(other, 3)
    assert likeness(these, those) == likeness(those, these)
    assert (likeness(these, those) == 1.0) == (these == those and bool(these))
