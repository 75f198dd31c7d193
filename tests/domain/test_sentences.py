"""Where sentences end, in older prose, speech and Sanskrit."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.text.sentences import is_question, sentence_spans


def sentences(text):
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "whole",
    [
        "Mr. Jones met Dr. St. John of the Rev. Vrooman's church.",
        "He quotes it, i.e. Plato does, e.g. in the Republic, viz. Book X.",
        "See vol. 2, p. 14, and No. 5 of the series.",
        "It was said by J. S. Mill and W. James.",
        '"Who are you?" he asked.',
        '"What! never again!" cried he.',
        '"Is it so?" Arjuna asked him.',
        "First one thing; Then another; and a third.",
        "He waited ... and then ... he went.",
        "And I ... I could not say.",
        "(He had come. He had seen.) and so it was.",
        "1. The first of them.",
        "At 3.15 it cost 2.50 and no more",
        "... so it begins.",
        "यदा यदा हि धर्मस्य ॥ ४.७ ॥",
    ],
)
def test_these_are_one_sentence(whole):
    assert sentences(whole) == [whole]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He came. He saw.", ["He came.", "He saw."]),
        ('He said, "Go." Then he left.', ['He said, "Go."', "Then he left."]),
        ("“Is it?” “It is.” So be it!", ["“Is it?”", "“It is.”", "So be it!"]),
        ("So do I. And you?", ["So do I.", "And you?"]),
        ("Roots, leaves, etc. The tree stands.", ["Roots, leaves, etc.", "The tree stands."]),
        ("He paused… Then he spoke.", ["He paused…", "Then he spoke."]),
        ("Is there no end? No. There is none.", ["Is there no end?", "No.", "There is none."]),
        ("The end.[12] Another begins.", ["The end.[12]", "Another begins."]),
        ("धर्मक्षेत्रे कुरुक्षेत्रे । मामकाः ॥ १ ॥ दृष्ट्वा तु", ["धर्मक्षेत्रे कुरुक्षेत्रे ।", "मामकाः ॥ १ ॥", "दृष्ट्वा तु"]),
        ("One\n\nTwo", ["One", "Two"]),
        ("一つ。二つ。", ["一つ。", "二つ。"]),
    ],
)
def test_these_are_several(text, expected):
    assert sentences(text) == expected


@given(st.text(alphabet='Ab c.?!…"”()[];:\n।॥1 Dr', max_size=200))
def test_spans_hold_every_visible_character_once_and_in_order(text):
    spans = sentence_spans(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join("".join(text[s:e].split()) for s, e in spans) == "".join(text.split())


def test_a_question_is_told_by_its_end():
    assert is_question("“Who am I?”")
    assert not is_question("Who am I, he asked.")
