import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectorium.providers.windowing import best_sentence, sentence_spans, windows, without_marks


@given(st.integers(1, 3000), st.integers(2, 300), st.data())
def test_windows_cover_every_token_and_none_is_too_long(tokens, room, data):
    overlap = data.draw(st.integers(0, room - 1))
    found = windows(tokens, room, overlap)
    assert found[0].first == 0
    assert found[-1].last == tokens
    assert all(0 < window.last - window.first <= room for window in found)
    assert all(later.first <= earlier.last for earlier, later in pairwise(found))


@given(st.integers(301, 3000), st.integers(0, 250))
def test_neighbouring_windows_share_the_overlap_asked_for(tokens, overlap):
    found = windows(tokens, 300, overlap)
    assert all(earlier.last - later.first >= overlap - 1 for earlier, later in pairwise(found))


def test_no_tokens_give_no_window():
    assert windows(0, 10, 2) == []


def test_an_overlap_as_large_as_the_window_is_refused():
    with pytest.raises(ValueError, match="overlap 10 must be"):
        windows(30, 10, 10)


@given(st.text(max_size=400))
def test_sentences_are_in_order_and_lose_nothing_but_white_space(text):
    spans = sentence_spans(text)
    assert all(first < last for first, last in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    kept = "".join(text[a:b] for a, b in spans)
    assert "".join(kept.split()) == "".join(text.split())


def test_initials_and_titles_do_not_end_a_sentence():
    text = "Dr. Smith met W. James. They spoke."
    assert [text[a:b] for a, b in sentence_spans(text)] == ["Dr. Smith met W. James.", "They spoke."]


def test_the_sentence_with_the_heaviest_tokens_is_the_evidence():
    text = "One two. Three four."
    offsets = [(0, 3), (4, 7), (9, 14), (15, 19)]
    assert best_sentence(text, offsets, [0.1, 0.2, 0.9, 0.3]) == (9, 20)


def test_a_text_without_tokens_has_no_evidence():
    assert best_sentence("", [], []) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("“Arise,” he said (softly); awake!", "Arise he said softly awake"),
        ("Krishna's well-known words: 3.5, 1,000 and -5…", "Krishna's well-known words 3.5 1,000 and -5"),
        ("He went – so they say — to the disciples' house.", "He went  so they say  to the disciples house"),
        ("It cost $5, or 50% of .5 rupees?", "It cost $5 or 50% of .5 rupees"),
        ("... ?!", " "),
    ],
)
def test_marks_beside_words_are_left_out_and_marks_within_them_stay(text, left):
    assert without_marks(text) == left


@given(st.text(alphabet="ab1 .,;:!?-–—\"'”’()[]…", max_size=60))
def test_no_word_is_lost_with_its_marks(text):
    assert re.findall(r"\w+", without_marks(text)) == re.findall(r"\w+", text)
