"""A chunk's text as a value, with everything needed to quote from it and say where the quote stands."""

from dataclasses import dataclass
from uuid import UUID

Span = tuple[int, int]
RINGS_OUT_S = 2.0  # seconds: a last caption often stays a little longer than its recording


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph's span within the passage, and its address."""

    start: int
    end: int
    address: str


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue's span within the passage, and the seconds of the recording in which it is spoken."""

    start: int
    end: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of one source. Offsets are characters within `text`; `source_id` names its lecture or work.

    media: has it a recording? recording_s: how many seconds long, as the recording itself says, None if unknown.
    """

    chunk_id: UUID
    source_id: UUID
    kind: str
    address: str
    title: str
    text: str
    content_hash: str
    ordinal: int
    language: str = "en"
    speaker: str = ""
    date: str = ""
    place: str = ""
    paragraphs: tuple[Paragraph, ...] = ()
    cues: tuple[Cue, ...] = ()
    media: bool = False
    recording_s: float | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of its paragraphs; its own where it has none."""
        return tuple(paragraph.address for paragraph in self.paragraphs) or (self.address,)

    def address_at(self, span: Span) -> str:
        """Return the address of the paragraph that holds most of `span`."""
        best = max(self.paragraphs, key=lambda p: _overlap((p.start, p.end), span), default=None)
        return best.address if best else self.address

    def seconds_at(self, span: Span) -> tuple[float, float] | None:
        """Return when the words of `span` are spoken, or None where the source has no times. Never estimated."""
        spoken = [cue for cue in self.cues if _overlap((cue.start, cue.end), span)]
        return (spoken[0].start_s, spoken[-1].end_s) if spoken else None

    def is_playable(self, span: Span) -> bool:
        """Do the seconds of `span` run forwards, inside the recording where its length is known?

        A passage without times has nothing to play, and nothing wrong.
        """
        seconds = self.seconds_at(span)
        if not seconds:
            return True
        begins, ends = seconds
        return 0 <= begins <= ends and (self.recording_s is None or ends <= self.recording_s + RINGS_OUT_S)


def _overlap(a: Span, b: Span) -> int:
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))
