"""From the cues of a recording to paragraphs that know at which second their words are spoken."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .passage import Cue
from .speech import NOISE, SOUND, labelled
from .text.cleaning import clean, cleaned
from .text.traced import TracedPiece, TracedText, joined
from .transcript import SourceParagraph

PAUSE_S = 1.0  # a silence this long begins a paragraph
LONG_PARAGRAPH_WORDS = 180  # past this the next sentence end does too
LABEL_MAX = 200  # characters of a sound's name
CLIPPED_OVERLAP_S = 0.5  # an overlap this small is a rounding of the caption tool

_SENTENCE_END = re.compile(r"[.!?…।॥][\"'”’)\]]*$")


class CueTimesError(ValueError):
    """The times of the cues cannot be true; the message names the cue and its times."""


@dataclass(frozen=True, slots=True)
class SpokenCue:
    """One cue as its file gives it: text, and seconds from the start of the recording.

    `pieces` say where in the file the text stands; empty where that is not known.
    """

    number: int
    text: str
    start_s: float
    end_s: float
    speaker: str = ""
    pieces: tuple[TracedPiece, ...] = ()

    @property
    def words(self) -> TracedText:
        return TracedText(self.text, self.pieces)

    def saying(self, words: TracedText, speaker: str) -> "SpokenCue":
        return replace(self, text=words.text, pieces=words.pieces, speaker=speaker)


@dataclass(frozen=True, slots=True)
class Sound:
    """Something heard that is not speech, such as applause, and the seconds of the cue that names it."""

    label: str
    start_s: float
    end_s: float


def timed_paragraphs(cues: Iterable[SpokenCue], key: str, source: str = "") -> tuple[SourceParagraph, ...]:
    """Group cues into paragraphs addressed "<key>:<n>", counted from 1. `source` is the text of the cues' file.

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
    return tuple(_paragraph(group, f"{key}:{number}", source) for number, group in enumerate(groups, start=1))


def sounds(cues: Iterable[SpokenCue]) -> tuple[Sound, ...]:
    """Return what the cues name that is not speech, in their order."""
    found = []
    for cue in cues:
        labels = [cue.text] if SOUND.match(cue.text) else [match[0] for match in NOISE.finditer(cue.text)]
        heard = (clean(label).strip("[]() ") for label in labels)
        found += [Sound(label[:LABEL_MAX], cue.start_s, cue.end_s) for label in heard if label]
    return tuple(found)


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
        text = TracedText("") if SOUND.match(cue.text) else cleaned(cue.words.replaced(NOISE, lambda _: " "))
        label, text = labelled(text)
        speaker = cue.speaker or label or speaker
        if any(character.isalnum() for character in text.text):
            kept.append(cue.saying(text, speaker))
    return kept


def clock(seconds: float) -> str:
    """Return seconds as h:mm:ss.mmm."""
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes // 60)}:{int(minutes % 60):02d}:{rest:06.3f}"


def _begins_paragraph(before: SpokenCue, cue: SpokenCue, words: int) -> bool:
    if cue.speaker != before.speaker or cue.start_s - before.end_s >= PAUSE_S:
        return True
    return words > LONG_PARAGRAPH_WORDS and bool(_SENTENCE_END.search(before.text))


def _paragraph(cues: Sequence[SpokenCue], address: str, source: str) -> SourceParagraph:
    spans: list[Cue] = []
    position = 0
    for cue in cues:
        spans.append(Cue(position, position + len(cue.text), cue.start_s, cue.end_s))
        position += len(cue.text) + 1
    words = joined([cue.words for cue in cues], " ")
    return SourceParagraph(words.text, address, "", cues[0].speaker, tuple(spans), *words.within(source))
