"""Pieces of a recording cover it, and what was heard of them is joined in order, without anything twice or missing."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.cues import CueTimesError
from corpus.domain.transcription import (
    CaptionRules,
    DraftCaption,
    PieceRules,
    RecordingPiece,
    captions_of,
    checked_captions,
    joined,
    pieces_of,
)

RULES = PieceRules(seconds=100.0, overlap_s=10.0)
SHORT = CaptionRules(chars=20, enough=8)


def caption(start, end, text="Words."):
    return DraftCaption(start, end, text)


@given(st.floats(0.5, 5000))
def test_pieces_cover_a_recording_and_overlap(seconds):
    pieces = pieces_of(seconds, RULES)
    assert (pieces[0].start_s, pieces[-1].end_s) == (0.0, seconds)
    assert all(piece.seconds <= RULES.seconds + 1e-6 for piece in pieces)
    for before, after in pairwise(pieces):
        assert before.end_s - after.start_s == pytest.approx(RULES.overlap_s)


@st.composite
def spoken_recordings(draw):
    """A recording's length and captions in order that do not touch."""
    lengths = draw(st.lists(st.tuples(st.floats(0.01, 3), st.floats(0.2, 4)), min_size=1, max_size=120))
    captions, now = [], 0.0
    for number, (pause, length) in enumerate(lengths):
        captions.append(caption(now + pause, now + pause + length, f"w{number}"))
        now = captions[-1].end_s
    return now + draw(st.floats(0, 30)), captions


def heard_in(piece, captions):
    """What a model without faults hears of a piece: the captions that lie in it whole, in the piece's seconds."""
    inside = [line for line in captions if piece.start_s <= line.start_s and line.end_s <= piece.end_s]
    return [caption(line.start_s - piece.start_s, line.end_s - piece.start_s, line.text) for line in inside]


@given(spoken_recordings())
def test_what_was_heard_of_all_pieces_is_the_recording_again(recording):
    seconds, captions = recording
    pieces = pieces_of(seconds, RULES)
    lines = joined(pieces, [heard_in(piece, captions) for piece in pieces])
    assert [line.text for line in lines] == [line.text for line in captions]
    for line, said in zip(lines, captions, strict=True):
        assert said.start_s - 1e-6 <= line.start_s < line.end_s <= said.end_s + 1e-6


@given(st.data(), st.floats(1, 500))
def test_whatever_is_heard_of_each_piece_in_order_is_in_order_together(data, seconds):
    pieces = pieces_of(seconds, RULES)
    heard = []
    for piece in pieces:
        marks = sorted(data.draw(st.sets(st.integers(0, int(piece.seconds * 10)), max_size=12)))
        heard.append([caption(a / 10, b / 10) for a, b in zip(marks[::2], marks[1::2], strict=False)])
    lines = joined(pieces, heard)
    assert list(checked_captions(lines, seconds)) == list(lines)


def test_a_caption_over_the_cut_belongs_to_the_side_of_its_middle_and_is_clipped():
    pieces = (RecordingPiece(0.0, 100.0), RecordingPiece(90.0, 150.0))
    lines = joined(pieces, [[caption(92, 97, "a")], [caption(3, 9, "b")]])
    assert lines == (caption(92, 95, "a"), caption(95, 99, "b"))


def test_a_long_segment_is_cut_between_its_timed_words_after_a_sentence():
    words = [caption(n, n + 0.5, word) for n, word in enumerate(("Wonder", "is", "first", "Then", "thought", "begins"))]
    segment = caption(0, 5.5, "Wonder is first. Then thought begins.")
    assert captions_of([segment], words, SHORT) == (
        caption(0, 2.5, "Wonder is first."),
        caption(3, 5.5, "Then thought begins."),
    )


def test_a_long_segment_stays_whole_where_its_words_are_not_timed_one_by_one():
    segment = caption(0, 5.5, "Wonder is first. Then thought begins.")
    assert captions_of([segment], [caption(0, 1, "Wonder")], SHORT) == (segment,)


def test_words_alone_become_captions():
    assert captions_of([], [caption(0, 1, "Wonder"), caption(1, 2, "begins.")]) == (caption(0, 2, "Wonder begins."),)


def test_a_caption_without_a_length_joins_the_one_before():
    assert captions_of([caption(0, 1, "Yes"), caption(1, 1, "indeed.")], []) == (caption(0, 1, "Yes indeed."),)


def test_a_first_caption_without_a_length_joins_the_one_behind():
    heard = [caption(0, 0, "Well,"), caption(0, 0, "yes"), caption(0, 1, "indeed."), caption(1, 2, "It is.")]
    assert captions_of(heard, []) == (caption(0, 1, "Well, yes indeed."), caption(1, 2, "It is."))


@pytest.mark.parametrize(
    ("captions", "said"),
    [
        ([caption(5, 6), caption(1, 2)], "cue 2 starts at 0:00:01.000, but cue 1 lasts from"),
        ([caption(3, 2)], "cue 1 ends at 0:00:02.000, not after its start"),
        ([caption(0, 1), caption(9, 14)], "cue 2 ends at 0:00:14.000, but the recording at 0:00:10.000"),
        ([caption(-1, 1)], "cue 1 starts 1 s before the recording"),
    ],
)
def test_impossible_times_name_the_caption(captions, said):
    with pytest.raises(CueTimesError, match=said):
        checked_captions(captions, 10.0)


def test_a_last_caption_may_outlast_its_recording_a_little():
    assert checked_captions([caption(8, 11)], 10.0)
