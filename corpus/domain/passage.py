"""A chunk's text as a value, with what is needed to quote it and locate the quote."""

from dataclasses import dataclass
from uuid import UUID

Span = tuple[int, int]
CAPTION_OVERRUN_S = 2.0  # seconds by which a last caption may outlast its recording


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph's span within the passage, and its address."""

    start: int
    end: int
    address: str


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue's span within the passage, and its seconds in the recording."""

    start: int
    end: int
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of one lecture or work (`source_id`). Offsets are characters within `text`.

    media: whether it has a recording. recording_s: the recording's length in seconds; None if unknown.
    imported_s: when its source was first imported, in seconds since 1970; None if unknown.
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
    imported_s: float | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of its paragraphs, or its own address without any."""
        return tuple(paragraph.address for paragraph in self.paragraphs) or (self.address,)

    def address_at(self, span: Span) -> str:
        """The address of the paragraph with most of `span`."""
        best = max(self.paragraphs, key=lambda p: _overlap((p.start, p.end), span), default=None)
        return best.address if best else self.address

    def seconds_at(self, span: Span) -> tuple[float, float] | None:
        """When `span` is spoken, from its cues; None without times. Never estimated."""
        spoken = [cue for cue in self.cues if _overlap((cue.start, cue.end), span)]
        return (spoken[0].start_s, spoken[-1].end_s) if spoken else None

    def is_playable(self, span: Span) -> bool:
        """Whether the seconds of `span` are in order and within the recording. True for a passage without times."""
        seconds = self.seconds_at(span)
        if not seconds:
            return True
        begins, ends = seconds
        return 0 <= begins <= ends and (self.recording_s is None or ends <= self.recording_s + CAPTION_OVERRUN_S)


def _overlap(a: Span, b: Span) -> int:
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))
