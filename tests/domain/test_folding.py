"""Folding lets what is typed meet what was written."""

from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.folding import fold


def test_diacritics_case_and_punctuation_fold_away():
    assert fold("Varṇāśrama-dharma, the SÂNKHYA's") == "varnasrama dharma the sankhyas"


@given(st.text(alphabet="aBçÉßæĀṛṣṆḥ’'`-_.,;() 12धर्मंŒøİ"))
def test_folding_twice_changes_nothing_more(text):
    assert fold(fold(text)) == fold(text)
