"""A model may choose where a sentence is cut; it may not say anything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.english.splitting import SplitFault, may_be_split, parse_split

SENTENCE = "Kabir, a weaver of Benares, made cloth and met householders."
CLAIMS = ("Kabir, a weaver of Benares, made cloth", "Kabir met householders")


def said(*claims, **more):
    return json.dumps({"claims": claims, **more})


def test_claims_of_the_sentences_own_words_under_its_subject_stand():
    assert parse_split(said(*CLAIMS), SENTENCE) == CLAIMS
    parts = ("Kabir a weaver of Benares", "Kabir made cloth", "Kabir met householders.")
    assert parse_split(said(*parts), SENTENCE) == parts


def test_what_follows_who_is_said_of_whoever_stands_before_it():
    sentence = "Ram praised Kabir, who made cloth in Benares."
    stands = ("Ram praised Kabir", "Kabir made cloth in Benares")
    assert parse_split(said(*stands), sentence) == stands
    with pytest.raises(SplitFault):
        parse_split(said(stands[0], "Ram made cloth in Benares"), sentence)


def test_a_part_stands_without_another_subject_where_it_has_its_own():
    sentence = "Ram made cloth, and Kabir gave it."
    assert parse_split(said("Ram made cloth", "Kabir gave it"), sentence)
    with pytest.raises(SplitFault):
        parse_split(said("Ram made cloth", "Gave it all"), "Ram made cloth, and gave it all.")


def test_a_sentence_that_is_one_claim_is_given_back():
    assert parse_split(said(SENTENCE), SENTENCE) == (SENTENCE,)


@pytest.mark.parametrize(
    "claims",
    [
        CLAIMS[:1],  # something is left out
        (*CLAIMS, "Kabir met kings"),  # something is added
        (CLAIMS[0], "Kabir met cloth", "met householders"),  # put together otherwise
        (CLAIMS[0], "Benares met householders"),  # no subject of it
        (*CLAIMS, ""),
        (),
    ],
)
def test_what_says_less_more_or_otherwise_is_refused(claims):
    with pytest.raises(SplitFault):
        parse_split(said(*claims), SENTENCE)


@pytest.mark.parametrize("text", ["Sure!", "[]", "{}", '{"claims": "x"}', '{"claims": [1]}', "[" * 100_000])
def test_what_is_no_strict_json_is_refused(text):
    with pytest.raises(SplitFault):
        parse_split(text, SENTENCE)
    with pytest.raises(SplitFault):
        parse_split(said(*CLAIMS, note="x"), SENTENCE)


@pytest.mark.parametrize(
    ("sentence", "may"),
    [
        (SENTENCE, True),
        ("Kabir made cloth in Benares.", False),
        ("Kabir did not make cloth and met householders.", False),
        ("If Kabir made cloth, he met householders.", False),
        ("Kabir said that Ram made cloth and met householders.", False),
        ("Perhaps Kabir made cloth and met householders.", False),
    ],
)
def test_what_is_denied_doubted_reported_or_conditional_is_left_to_the_rules(sentence, may):
    assert may_be_split(sentence) is may


@given(st.lists(st.lists(st.sampled_from(["kabir", "and", "made", "cloth", "met"]), min_size=1), min_size=1))
def test_a_split_that_stands_holds_the_sentences_words_and_no_other(claims):
    texts = [" ".join(claim) for claim in claims]
    sentence = "Kabir made cloth and met householders."
    try:
        parse_split(said(*texts), sentence)
    except SplitFault:
        return
    pytest.fail(f"{texts} leaves householders out")
