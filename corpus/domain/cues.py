"""Groups the cues of a recording into timed paragraphs."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .passage import Cue
from .speech import NOISE, SOUND, labelled
from .text.cleaning import clean, cleaned
from .text.traced import TracedPiece, TracedText, joined
from .transcript import SourceParagraph

PAUSE_S = 1.0  # a silence this long starts a paragraph
LONG_PARAGRAPH_WORDS = 180  # past this, the end of a sentence starts one too
LABEL_MAX = 200  # characters of a sound's label
CLIPPED_OVERLAP_S = 0.5  # a smaller overlap is a rounding error of the caption tool

_SENTENCE_END = re.compile(r"[.!?…।॥][\"'”’)\]]*$")


class CueTimesError(ValueError):
    """Impossible times; the message names the cue."""


@dataclass(frozen=True, slots=True)
class SpokenCue:
    """One cue of a file: its text, and seconds from the start of the recording.

    pieces: where the text stands in the file; empty where unknown.
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
    """A sound other than speech, such as applause, with the seconds of its cue."""

    label: str
    start_s: float
    end_s: float


def timed_paragraphs(cues: Iterable[SpokenCue], key: str, source: str = "") -> tuple[SourceParagraph, ...]:
    """Group cues into paragraphs with addresses "<key>:<n>" from 1. `source` is the text of the cue file.

    A paragraph starts after a pause of PAUSE_S or with a new speaker. Cues without speech are left out. Raises
    CueTimesError where a cue ends before it starts or overlaps the one before.
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
    """The sounds that cues name, in order."""
    found = []
    for cue in cues:
        labels = [cue.text] if SOUND.match(cue.text) else [match[0] for match in NOISE.finditer(cue.text)]
        heard = (clean(label).strip("[]() ") for label in labels)
        found += [Sound(label[:LABEL_MAX], cue.start_s, cue.end_s) for label in heard if label]
    return tuple(found)


def in_order(cues: Iterable[SpokenCue]) -> list[SpokenCue]:
    """Cues with overlaps up to CLIPPED_OVERLAP_S clipped. Raises CueTimesError on a larger overlap."""
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
    """Cues with speech, cleaned, with a leading "NAME:" moved into `speaker`, who speaks until another is named."""
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
    """Seconds as h:mm:ss.mmm."""
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
    return SourceParagraph(words.text, address, "", cues[0].speaker, tuple(spans), words.source_in(source))
