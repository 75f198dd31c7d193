"""Lectures with times: WebVTT and SubRip, and the recording that lies beside them."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import srt
import webvtt

from corpus.domain.cues import CueTimesError, SpokenCue, timed_paragraphs

from .drafts import LectureDraft, Refused
from .reading import facts_in, parse_date

AUDIO = (".mp3", ".ogg", ".opus", ".m4a", ".wav")

_ARROW = re.compile(r"^.*-->.*$", re.MULTILINE)
_NOTE = re.compile(r"(?:^|\n\n)NOTE\b(?P<facts>.*?)(?:\n\n|\Z)", re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][^>]{0,200}>|\{\\[^}]*\}")


def read_timed(path: Path, text: str, key: str) -> LectureDraft:
    """Return the lecture of a VTT or SRT file. Raises Refused where its cues cannot be read or cannot be true."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    is_vtt = path.suffix.lower() == ".vtt" or text.startswith("WEBVTT")
    cues = list(_vtt_cues(text) if is_vtt else _srt_cues(text))
    facts = _first_facts(text) if is_vtt else {}
    try:
        paragraphs = timed_paragraphs(cues, key)
    except CueTimesError as error:
        raise Refused(f"{error}; correct the times") from error
    return LectureDraft(
        file=str(path),
        key=key,
        title=facts.get("title") or title_of(path),
        paragraphs=paragraphs,
        language=facts.get("language", "en"),
        speaker=facts.get("speaker", ""),
        date=parse_date(facts.get("date", "")),
        place=facts.get("place", ""),
        series=facts.get("series", ""),
        media=recording_of(path),
    )


def title_of(path: Path) -> str:
    """Return a title made of the file's name."""
    words = re.sub(r"[-_\s]+", " ", path.stem).strip()
    return words[:1].upper() + words[1:]


def recording_of(path: Path) -> Path | None:
    """Return the audio file of the same name beside a transcript, or None."""
    return next((audio for ending in AUDIO if (audio := path.with_suffix(ending)).is_file()), None)


def _first_facts(text: str) -> dict[str, str]:
    """Return the facts of the first NOTE block that states any."""
    return next((facts for note in _NOTE.finditer(text) if (facts := facts_in(note["facts"]))), {})


def _vtt_cues(text: str) -> Iterator[SpokenCue]:
    try:
        captions = webvtt.from_string(text).captions
    except webvtt.errors.MalformedFileError as error:
        raise Refused(f"is not WebVTT ({error}); its first line must be WEBVTT") from error
    except webvtt.errors.MalformedCaptionError as error:
        raise Refused(f"has a broken cue ({error}); correct it") from error
    _check_all_read(text, len(captions), "h:mm:ss.mmm --> h:mm:ss.mmm")
    for number, caption in enumerate(captions, start=1):
        start, end = _seconds(caption.start), _seconds(caption.end)
        yield SpokenCue(number, _plain(caption.raw_text), start, end, html.unescape(caption.voice or ""))


def _srt_cues(text: str) -> Iterator[SpokenCue]:
    try:
        subtitles = list(srt.parse(text))
    except (srt.SRTParseError, srt.TimestampParseError, ValueError) as error:
        raise Refused("is not SubRip: each cue needs a number, a line of times and its text; correct it") from error
    _check_all_read(text, len(subtitles), "hh:mm:ss,mmm --> hh:mm:ss,mmm")
    for number, subtitle in enumerate(subtitles, start=1):
        yield SpokenCue(number, _plain(subtitle.content), subtitle.start.total_seconds(), subtitle.end.total_seconds())


def _check_all_read(text: str, read: int, form: str) -> None:
    """Refuse a file of which the parser skipped cues: a lecture with holes would be quoted wrongly."""
    written = len(_ARROW.findall(text))
    if read < written:
        raise Refused(f"has {written} cues, of which {written - read} cannot be read; write the times as {form}")


def _seconds(clock: str) -> float:
    total = 0.0
    for part in clock.split(":"):
        total = total * 60 + float(part)
    return total


def _plain(text: str) -> str:
    lines = (re.sub(r"^\s*-\s+", "", line) for line in _TAG.sub("", text).split("\n"))
    return html.unescape(" ".join(lines))
