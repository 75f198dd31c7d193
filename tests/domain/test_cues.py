"""From cues to paragraphs: pauses, speakers, noises and impossible times."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.cues import CueTimesError, SpokenCue, sounds, timed_paragraphs


def cues(*rows):
    return [SpokenCue(number, text, start, end) for number, (text, start, end) in enumerate(rows, start=1)]


def test_a_pause_of_a_second_begins_a_paragraph():
    first, second = timed_paragraphs(cues(("One,", 0, 1), ("two.", 1.9, 3), ("Three.", 4.0, 5)), "talk")
    assert (first.text, first.address) == ("One, two.", "talk:1")
    assert (second.text, second.address) == ("Three.", "talk:2")


def test_cue_spans_point_at_the_words_of_the_cue():
    (paragraph,) = timed_paragraphs(cues(("One,", 0, 1), ("two.", 1, 3)), "talk")
    assert [(paragraph.text[c.start : c.end], c.start_s, c.end_s) for c in paragraph.cues] == [
        ("One,", 0, 1),
        ("two.", 1, 3),
    ]


def test_another_speaker_begins_a_paragraph_and_a_label_is_no_speech():
    first, second = timed_paragraphs(cues(("DR. RAO: Yes.", 0, 1), ("STUDENT: Why?", 1, 2), ("I ask.", 2, 3)), "talk")
    assert (first.speaker, first.text) == ("Dr. Rao", "Yes.")
    assert (second.speaker, second.text) == ("Student", "Why? I ask.")


def test_noises_are_kept_out_and_words_in_brackets_are_not():
    (paragraph,) = timed_paragraphs(
        cues(("[applause]", 0, 1), ("Thank [laughter] you.", 1, 2), ("♪ ♪", 2, 2.5), ("[The] end (of it).", 2.5, 4)),
        "talk",
    )
    assert paragraph.text == "Thank you. [The] end (of it)."


def test_a_word_in_brackets_alone_is_said_and_only_a_sound_is_not():
    rows = cues(("He is", 0, 1), ("[Krishna]", 1, 2), ("[Ann laughs softly at him]", 2, 3), ("[BELL RINGS]", 3, 4))
    (paragraph,) = timed_paragraphs(rows, "talk")
    assert paragraph.text == "He is [Krishna]"
    assert [sound.label for sound in sounds(rows)] == ["Ann laughs softly at him", "BELL RINGS"]


def test_a_long_paragraph_ends_with_its_sentence():
    rows = [("word " * 20 + ("end." if n % 3 == 2 else "on"), n * 5, n * 5 + 5) for n in range(30)]
    paragraphs = timed_paragraphs(cues(*rows), "talk")
    assert len(paragraphs) > 2
    assert all(p.text.endswith("end.") for p in paragraphs)
    assert all(len(p.text.split()) < 260 for p in paragraphs)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((("a", 5, 4),), "cue 1 ends at 0:00:04.000, not after its start 0:00:05.000"),
        ((("a", 10, 12), ("b", 3, 5)), "cue 2 starts at 0:00:03.000, but cue 1 lasts from 0:00:10.000 to 0:00:12.000"),
        ((("a", 0, 4), ("b", 3, 5)), "cue 2 starts at 0:00:03.000"),
    ],
)
def test_impossible_times_are_refused_by_cue_and_time(rows, message):
    with pytest.raises(CueTimesError, match=message):
        timed_paragraphs(cues(*rows), "talk")


def test_a_tiny_overlap_is_clipped():
    (paragraph,) = timed_paragraphs(cues(("a", 0, 2.3), ("b", 2, 4)), "talk")
    assert paragraph.cues[0].end_s == 2


@given(st.lists(st.tuples(st.text(alphabet="ab .[]♪", max_size=9), st.floats(0.1, 3), st.floats(0, 2)), max_size=20))
def test_every_spoken_word_is_kept_and_times_never_run_back(rows):
    clock, timed = 0.0, []
    for text, length, gap in rows:
        timed.append((text, clock + gap, clock + gap + length))
        clock += gap + length
    paragraphs = timed_paragraphs(cues(*timed), "talk")
    spans = [cue for paragraph in paragraphs for cue in paragraph.cues]
    assert all(a.end_s <= b.start_s for a, b in pairwise(spans))
    assert all(p.text for p in paragraphs)
