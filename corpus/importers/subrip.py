"""SubRip (.srt): numbered cues with times."""

import re
from collections.abc import Iterator

import srt

from corpus.domain.cues import SpokenCue
from corpus.domain.text.traced import whole

from .captions import lines_of, plain, timed_lecture, unreadable
from .drafts import LectureDraft
from .protocol import SourceFile
from .reading import read_text
from .refusal import ImportRefused

NAME = "SubRip"
_BEGINNING = re.compile(r"\s*\d+\s*\r?\n\s*\d+:\d{1,2}:\d{1,2}[,.]\d{1,3}\s*-->")

# The library's pattern takes cubic time on a long number, so cues are split here, by patterns that start at a
# line and limit repeated digits. The library only parses single times.
_NUMBER = r"-?[0-9]{1,9}(?:\.[0-9]{0,9})?[^\S\n]*"
_MARK = "[,.:，．。：]"
_CLOCK = rf"[0-9]{{1,4}}(?:{_MARK}[0-9]{{1,4}}){{2}}"
_TIME = rf"{_CLOCK}(?:{_MARK}[0-9]{{0,3}})?(?!{_MARK}?[0-9])"
_CUE = re.compile(
    rf"(?:^[^\S\n]*{_NUMBER}\n\s*|\A\s*|(?<=\n\n)[^\S\n]*)"
    rf"(?P<start>{_TIME}) *-[ -] *> *(?P<end>{_TIME})[^\n]*(?:\n|\Z)",
    re.MULTILINE,
)
_BROKEN = re.compile(rf"^.*-->|^[^\S\n]*(?:{_NUMBER})?\n[^\S\n]*{_CLOCK}", re.MULTILINE)


def recognizes(file: SourceFile) -> bool:
    return bool(_BEGINNING.match(file.text)) or file.ending == ".srt"


def read(file: SourceFile) -> Iterator[LectureDraft]:
    text = lines_of(read_text(file.path))
    yield timed_lecture(file, text, list(_cues(text)), {})


def _cues(text: str) -> Iterator[SpokenCue]:
    """The cues, each with the text up to the next timing line, across blank lines."""
    heads = list(_CUE.finditer(text))
    if not heads or text[: heads[0].start()].strip():
        raise ImportRefused("is not SubRip: each cue needs a number, a line of times and its text; correct it")
    ends = [*(head.start() for head in heads[1:]), len(text)]
    contents = [whole(text[head.end() : end], head.end()) for head, end in zip(heads, ends, strict=True)]
    if skipped := sum(len(_BROKEN.findall(content.text)) for content in contents):
        raise unreadable(len(heads) + skipped, skipped, "hh:mm:ss,mmm --> hh:mm:ss,mmm")
    for number, (head, content) in enumerate(zip(heads, contents, strict=True), start=1):
        words = plain(content.stripped())
        yield SpokenCue(number, words.text, _seconds(head["start"]), _seconds(head["end"]), pieces=words.pieces)


def _seconds(clock: str) -> float:
    """The library reads a fraction as milliseconds, so it is padded: 00:00:01,5 is a second and a half."""
    hours, minutes, seconds, *fraction = re.split(_MARK, clock)
    padded = f"{hours}:{minutes}:{seconds},{''.join(fraction):0<3}"
    return float(srt.srt_timestamp_to_timedelta(padded).total_seconds())
