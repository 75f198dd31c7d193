"""A claim is laid beside the sentences that say most of it, and every word that differs is found."""

from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.english.alignment import MOST_SENTENCES, align
from chat.answering.domain.words import sentences_in, words_in

TEXT = "The lamp burns steadily. No wind of desire blows there. The mind is the flame of it. Rivers reach the sea."


def aligned(claim, text=TEXT):
    return align(words_in(claim, str), sentences_in(text, str))


def said(words):
    return " ".join(word.text for word in words)


def test_the_closest_sentence_comes_first_and_its_neighbours_are_near():
    one = aligned("No wind blows there.")
    assert said(one.sentences[0].words) == "No wind of desire blows there"
    assert len(one.near) == 3
    assert TEXT[slice(*one.span)] == "No wind of desire blows there."


def test_a_claim_of_two_sentences_is_held_by_both():
    one = aligned("The lamp burns while rivers reach the sea.")
    assert {said(sentence.words[:2]) for sentence in one.sentences} == {"The lamp", "Rivers reach"}
    assert one.share == 1.0


def test_what_differs_between_shared_words_is_an_edit():
    (edit,) = aligned("The lamp burns badly.").edits
    assert (said(edit.source), said(edit.claim)) == ("steadily", "badly")


def test_what_the_source_says_before_and_after_is_only_left_out():
    assert aligned("wind of desire blows").edits[0].source[0].text == "No"  # the word before may decide it
    assert aligned("Rivers reach the").edits == ()


def test_a_passage_without_sentences_holds_nothing():
    one = aligned("The lamp burns.", "")
    assert (one.sentences, one.share, one.likeness, one.span) == ((), 0.0, 0.0, None)


@given(st.text(max_size=200), st.text(max_size=400))
def test_shares_are_shares_and_sentences_are_few(claim, text):
    one = aligned(claim, text)
    assert 0.0 <= one.share <= 1.0
    assert 0.0 <= one.likeness <= 1.0
    assert len(one.sentences) <= MOST_SENTENCES


@given(st.sampled_from(TEXT.split(". ")))
def test_a_sentence_is_wholly_like_itself(sentence):
    one = aligned(sentence)
    assert (one.share, one.likeness, one.edits) == (1.0, 1.0, ())
