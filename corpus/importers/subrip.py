"""SubRip (.srt): numbered cues with times."""

import re
from collections.abc import Iterator

import srt

from corpus.domain.cues import SpokenCue

from .captions import lines_of, payloads, timed_lecture
from .drafts import LectureDraft, Refused
from .protocol import SourceFile
from .reading import read_text

NAME = "SubRip"
_CUE = re.compile(r"\s*\d+\s*\r?\n\s*\d+:\d{1,2}:\d{1,2}[,.]\d{1,3}\s*-->")


def recognizes(file: SourceFile) -> bool:
    return bool(_CUE.match(file.text)) or file.ending == ".srt"


def read(file: SourceFile) -> Iterator[LectureDraft]:
    text = lines_of(read_text(file.path))
    yield timed_lecture(file, text, list(_cues(text)), {})


def _cues(text: str) -> Iterator[SpokenCue]:
    try:
        subtitles = list(srt.parse(text))
    except (srt.SRTParseError, srt.TimestampParseError, ValueError, OverflowError) as error:
        raise Refused("is not SubRip: each cue needs a number, a line of times and its text; correct it") from error
    if not subtitles:
        raise Refused("is not SubRip: each cue needs a number, a line of times and its text; correct it")
    contents = payloads(text, [subtitle.content for subtitle in subtitles], "hh:mm:ss,mmm --> hh:mm:ss,mmm")
    for number, (subtitle, words) in enumerate(zip(subtitles, contents, strict=True), start=1):
        start, end = subtitle.start.total_seconds(), subtitle.end.total_seconds()
        yield SpokenCue(number, words.text, start, end, pieces=words.pieces)
