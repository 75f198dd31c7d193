"""WebVTT: cues with times, and facts in the first NOTE block."""

import html
import re
from collections.abc import Iterator

import webvtt

from corpus.domain.cues import SpokenCue
from corpus.domain.text.cleaning import clean

from .captions import first_facts, lines_of, payloads, timed_lecture
from .drafts import LectureDraft
from .protocol import SourceFile
from .reading import read_text
from .refusal import ImportRefused, quoted_error

NAME = "WebVTT"
_NOTE = re.compile(r"(?:^|\n\n)NOTE\b(?P<facts>.*?)(?=\n\n|\Z)", re.DOTALL)
_VOICE = re.compile(r"<v(?:\.[^\s>]{0,200})?\s+(?P<name>[^>]{1,200})>")


def recognizes(file: SourceFile) -> bool:
    return file.text.startswith("WEBVTT") or file.ending == ".vtt"


def read(file: SourceFile) -> Iterator[LectureDraft]:
    text = lines_of(read_text(file.path))
    facts = first_facts([note["facts"] for note in _NOTE.finditer(text)])
    yield timed_lecture(file, text, list(_cues(text)), facts)


def _cues(text: str) -> Iterator[SpokenCue]:
    try:
        captions = webvtt.from_string(text).captions
    except webvtt.errors.MalformedFileError as error:
        raise ImportRefused(f"is not WebVTT ({quoted_error(error)}); its first line must be WEBVTT") from error
    except webvtt.errors.MalformedCaptionError as error:
        raise ImportRefused(f"has a broken cue ({quoted_error(error)}); correct it") from error
    contents = payloads(text, [caption.raw_text for caption in captions], "h:mm:ss.mmm --> h:mm:ss.mmm")
    for number, (caption, words) in enumerate(zip(captions, contents, strict=True), start=1):
        start, end = _seconds(caption.start), _seconds(caption.end)
        yield SpokenCue(number, words.text, start, end, _voices(caption.raw_text), words.pieces)


def _seconds(clock: str) -> float:
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total


def _voices(payload: str) -> str:
    """The speakers of a cue, joined where there are several, since its words are not timed apart."""
    names = dict.fromkeys(clean(html.unescape(voice["name"])) for voice in _VOICE.finditer(payload))
    return ", ".join(name for name in names if name)
