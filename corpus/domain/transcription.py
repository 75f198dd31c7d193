"""From what a speech model heard to the lines of a transcript: pieces of a recording, captions, and their times."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from .cues import CueTimesError, SpokenCue, clock, in_order
from .passage import CAPTION_OVERRUN_S

_SENTENCE_END = (".", "!", "?", "…", "।", "॥")


@dataclass(frozen=True, slots=True)
class PieceRules:
    """How a recording that is too large for one request is cut. The pieces overlap, so that no word is cut in two."""

    seconds: float = 1200.0
    overlap_s: float = 10.0


@dataclass(frozen=True, slots=True)
class CaptionRules:
    """A longer segment is cut into captions between its words, after the end of a sentence once it has `enough`."""

    chars: int = 200
    enough: int = 80


@dataclass(frozen=True, slots=True)
class RecordingPiece:
    """A stretch of a recording, in seconds."""

    start_s: float
    end_s: float

    @property
    def seconds(self) -> float:
        return self.end_s - self.start_s


@dataclass(frozen=True, slots=True)
class DraftCaption:
    """Words with the seconds in which they are spoken."""

    start_s: float
    end_s: float
    text: str

    @property
    def seconds(self) -> float:
        return self.end_s - self.start_s

    @property
    def middle_s(self) -> float:
        return (self.start_s + self.end_s) / 2


def pieces_of(seconds: float, rules: PieceRules | None = None) -> tuple[RecordingPiece, ...]:
    """Overlapping pieces that cover a recording of this length."""
    rules = rules or PieceRules()
    pieces = [RecordingPiece(0.0, min(rules.seconds, seconds))]
    while pieces[-1].end_s < seconds:
        start = pieces[-1].end_s - rules.overlap_s
        pieces.append(RecordingPiece(start, min(start + rules.seconds, seconds)))
    return tuple(pieces)


def joined(pieces: Sequence[RecordingPiece], heard: Sequence[Sequence[DraftCaption]]) -> tuple[DraftCaption, ...]:
    """The captions of all pieces, in the recording's seconds.

    Where two pieces overlap, the earlier one counts up to the middle of the overlap and the later one from there; a
    caption belongs to the side of its own middle and is clipped there.
    """
    cuts = [(before.end_s + after.start_s) / 2 for before, after in pairwise(pieces)]
    opens, closes = [float("-inf"), *cuts], [*cuts, float("inf")]
    lines: list[DraftCaption] = []
    for piece, captions, begin, end in zip(pieces, heard, opens, closes, strict=True):
        for caption in captions:
            moved = replace(caption, start_s=caption.start_s + piece.start_s, end_s=caption.end_s + piece.start_s)
            if begin <= moved.middle_s < end:
                lines.append(replace(moved, start_s=max(begin, moved.start_s), end_s=min(end, moved.end_s)))
    return tuple(lines)


def captions_of(
    segments: Sequence[DraftCaption], words: Sequence[DraftCaption], rules: CaptionRules | None = None
) -> tuple[DraftCaption, ...]:
    """The segments as captions; long ones are cut between their words if those are timed. No time is estimated."""
    rules = rules or CaptionRules()
    if words and not segments:
        text = " ".join(word.text.strip() for word in words)
        segments = [DraftCaption(words[0].start_s, words[-1].end_s, text)]
    captions: list[DraftCaption] = []
    for segment in segments:
        inside = [word for word in words if segment.start_s <= word.middle_s <= segment.end_s]
        captions += _cut(segment, inside, rules)
    return tuple(_with_length(caption for caption in captions if caption.text))


def checked_captions(captions: Iterable[DraftCaption], seconds: float | None) -> tuple[DraftCaption, ...]:
    """Captions in order and within the sound's length, if that is known; small overlaps are clipped.

    Raises CueTimesError, which names the caption.
    """
    cues = in_order(
        SpokenCue(number, caption.text, caption.start_s, caption.end_s)
        for number, caption in enumerate(captions, start=1)
    )
    for cue in cues:
        if cue.start_s < 0:
            raise CueTimesError(f"cue {cue.number} starts {-cue.start_s:g} s before the recording")
        if seconds is not None and cue.end_s > seconds + CAPTION_OVERRUN_S:
            raise CueTimesError(f"cue {cue.number} ends at {clock(cue.end_s)}, but the recording at {clock(seconds)}")
    return tuple(DraftCaption(cue.start_s, cue.end_s, cue.text) for cue in cues)


def _cut(segment: DraftCaption, words: Sequence[DraftCaption], rules: CaptionRules) -> Iterator[DraftCaption]:
    tokens = segment.text.split()  # with the punctuation that timed words lack
    if len(segment.text) <= rules.chars or len(tokens) != len(words):
        yield replace(segment, text=" ".join(tokens))
        return
    first, length = 0, 0
    for place, token in enumerate(tokens):
        is_full = length + 1 + len(token) > rules.chars
        is_said = length >= rules.enough and tokens[place - 1].endswith(_SENTENCE_END)
        if place > first and (is_full or is_said):
            yield _spoken(tokens, words, first, place)
            first, length = place, 0
        length += len(token) + (1 if length else 0)
    yield _spoken(tokens, words, first, len(tokens))


def _spoken(tokens: Sequence[str], words: Sequence[DraftCaption], first: int, after: int) -> DraftCaption:
    return DraftCaption(words[first].start_s, words[after - 1].end_s, " ".join(tokens[first:after]))


def _with_length(captions: Iterable[DraftCaption]) -> Iterator[DraftCaption]:
    """The captions; those without a length, which models write now and then, join the one before, or else behind."""
    before: DraftCaption | None = None
    for caption in captions:
        if before and 0.0 in (before.seconds, caption.seconds):
            before = replace(before if before.seconds else caption, text=f"{before.text} {caption.text}")
            continue
        if before:
            yield before
        before = caption
    if before:
        yield before
