"""From the cues of a recording to paragraphs that know at which second their words are spoken."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .cleaning import clean
from .passage import Cue
from .transcript import SourceParagraph

PAUSE_S = 1.0  # a silence this long begins a paragraph
LONG_PARAGRAPH_WORDS = 180  # past this the next sentence end does too
CLIPPED_OVERLAP_S = 0.5  # an overlap this small is a rounding of the caption tool

_NOISES = (
    "applause|laughter|laughs?|laughing|chuckles?|music|singing|cheering|cheers|inaudible|unintelligible|indistinct|"
    "silence|pause|noise|background noise|cough(?:s|ing)?|sighs?|crosstalk|bell(?: rings)?|clapping|static|no audio"
)
_NOISE = re.compile(
    rf"[\[(]\s*(?:[\w’']+\s+){{0,2}}(?:{_NOISES})(?:\s+[\w’']+){{0,2}}\s*[\])]|[♪♫]+[^♪♫]*[♪♫]+|[♪♫]", re.IGNORECASE
)
_BRACKETED = re.compile(r"^\s*\[[^\]]*\]\s*$")
_LABEL = re.compile(r"^(?:>>\s*)?(?P<name>[A-ZÀ-ÞĀ-Ž][A-ZÀ-ÞĀ-ŽḌṂṆṚṢṬ.’' -]{1,40}):\s+")
_SENTENCE_END = re.compile(r"[.!?…।॥][\"'”’)\]]*$")


class CueTimesError(ValueError):
    """The times of the cues cannot be true; the message names the cue and its times."""


@dataclass(frozen=True, slots=True)
class SpokenCue:
    """One cue as its file gives it: text, and seconds from the start of the recording."""

    number: int
    text: str
    start_s: float
    end_s: float
    speaker: str = ""


def timed_paragraphs(cues: Iterable[SpokenCue], key: str) -> tuple[SourceParagraph, ...]:
    """Group cues into paragraphs addressed "<key>:<n>", counted from 1.

    A paragraph begins after a pause of PAUSE_S or at another speaker. Cues without speech are left out.
    Raises CueTimesError where a cue ends before it starts, or starts before the one before it has ended.
    """
    groups: list[list[SpokenCue]] = []
    words = 0
    for cue in spoken(in_order(cues)):
        if not groups or _begins_paragraph(groups[-1][-1], cue, words):
            groups.append([])
            words = 0
        groups[-1].append(cue)
        words += cue.text.count(" ") + 1
    return tuple(_paragraph(group, f"{key}:{number}") for number, group in enumerate(groups, start=1))


def in_order(cues: Iterable[SpokenCue]) -> list[SpokenCue]:
    """Return the cues with overlaps up to CLIPPED_OVERLAP_S clipped. Raises CueTimesError on any larger."""
    ordered: list[SpokenCue] = []
    for cue in cues:
        if cue.end_s <= cue.start_s:
            raise CueTimesError(
                f"cue {cue.number} ends at {clock(cue.end_s)}, not after its start {clock(cue.start_s)}"
            )
        if ordered and cue.start_s < ordered[-1].end_s:
            before = ordered[-1]
            if before.end_s - cue.start_s > CLIPPED_OVERLAP_S or cue.start_s <= before.start_s:
                raise CueTimesError(
                    f"cue {cue.number} starts at {clock(cue.start_s)}, "
                    f"but cue {before.number} lasts from {clock(before.start_s)} to {clock(before.end_s)}"
                )
            ordered[-1] = replace(before, end_s=cue.start_s)
        ordered.append(cue)
    return ordered


def spoken(cues: Iterable[SpokenCue]) -> list[SpokenCue]:
    """Return the cues that hold speech, cleaned, with a leading "NAME:" moved into `speaker`.

    Once named, a speaker goes on until another is named.
    """
    kept: list[SpokenCue] = []
    speaker = ""
    for cue in cues:
        text = "" if _BRACKETED.match(cue.text) else clean(_NOISE.sub(" ", cue.text))
        label = _LABEL.match(text)
        if label:
            text = text[label.end() :]
        speaker = cue.speaker or (label["name"].strip().title() if label else "") or speaker
        if any(character.isalnum() for character in text):
            kept.append(replace(cue, text=text, speaker=speaker))
    return kept


def clock(seconds: float) -> str:
    """Return seconds as h:mm:ss.mmm."""
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes // 60)}:{int(minutes % 60):02d}:{rest:06.3f}"


def _begins_paragraph(before: SpokenCue, cue: SpokenCue, words: int) -> bool:
    if cue.speaker != before.speaker or cue.start_s - before.end_s >= PAUSE_S:
        return True
    return words > LONG_PARAGRAPH_WORDS and bool(_SENTENCE_END.search(before.text))


def _paragraph(cues: Sequence[SpokenCue], address: str) -> SourceParagraph:
    spans: list[Cue] = []
    position = 0
    for cue in cues:
        spans.append(Cue(position, position + len(cue.text), cue.start_s, cue.end_s))
        position += len(cue.text) + 1
    return SourceParagraph(" ".join(cue.text for cue in cues), address, speaker=cues[0].speaker, cues=tuple(spans))
