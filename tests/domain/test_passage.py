"""A span plays where its seconds run forwards and lie inside the recording."""

from uuid import UUID

import pytest

from corpus.domain.passage import Cue, Passage

TEXT = "One came. Two stayed."


def passage(*seconds, recording=None):
    cues = tuple(Cue(start, end, *times) for (start, end), times in zip(((0, 9), (10, 21)), seconds, strict=False))
    nowhere = UUID(int=0)
    return Passage(nowhere, nowhere, "lecture", "a:1", "A talk", TEXT, "", 0, cues=cues, recording_s=recording)


@pytest.mark.parametrize(
    ("one", "plays"),
    [
        (passage(), True),
        (passage((1, 2), (2, 4)), True),
        (passage((3, 2)), False),
        (passage((1, 2), (2, 4), recording=4.0), True),
        (passage((1, 2), (2, 4.5), recording=4.0), True),
        (passage((1, 2), (2, 99_999), recording=4.0), False),
        (passage((90, 92), (92, 94), recording=4.0), False),
    ],
    ids=["no times", "forwards", "backwards", "inside", "a cue that rings out", "endless", "after the end"],
)
def test_what_can_be_played_runs_forwards_inside_its_recording(one, plays):
    assert one.is_playable((0, len(TEXT))) is plays


def test_where_the_recordings_length_is_not_known_the_times_are_believed():
    assert passage((90, 92)).is_playable((0, 9))
