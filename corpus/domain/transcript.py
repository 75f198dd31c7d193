"""The full text of a lecture, with its paragraphs and cues as spans."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .passage import Cue
from .text.spans import within

GAP = "\n\n"  # between paragraphs


@dataclass(frozen=True, slots=True)
class SourceParagraph:
    """A clean paragraph of a source; cue spans are characters within `text`.

    source: the stretch of the file it comes from, as it is there; "" where the text equals it.
    """

    text: str
    address: str
    heading: str = ""
    speaker: str = ""
    cues: tuple[Cue, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class PlacedParagraph:
    """A paragraph and its character span in the transcript."""

    start: int
    end: int
    paragraph: SourceParagraph


@dataclass(frozen=True, slots=True)
class Transcript:
    """The paragraphs joined by blank lines; all spans are characters within `text`."""

    text: str
    paragraphs: tuple[PlacedParagraph, ...]
    cues: tuple[Cue, ...]

    def cues_within(self, start: int, end: int) -> tuple[Cue, ...]:
        """The cues that share a character with [start, end), clipped and relative to `start`.

        Seconds stay those of the whole cue, since the time of a word within it is unknown.
        """
        return tuple(
            Cue(max(cue.start, start) - start, min(cue.end, end) - start, cue.start_s, cue.end_s)
            for cue in within(self.cues, start, end)
        )

    def paragraphs_within(self, start: int, end: int) -> tuple[PlacedParagraph, ...]:
        """The paragraphs that share a character with [start, end), clipped and relative to `start`."""
        return tuple(
            PlacedParagraph(max(placed.start, start) - start, min(placed.end, end) - start, placed.paragraph)
            for placed in within(self.paragraphs, start, end)
        )


def assemble(paragraphs: Iterable[SourceParagraph]) -> Transcript:
    placed: list[PlacedParagraph] = []
    cues: list[Cue] = []
    position = 0
    for paragraph in paragraphs:
        placed.append(PlacedParagraph(position, position + len(paragraph.text), paragraph))
        cues.extend(_moved(paragraph.cues, position))
        position += len(paragraph.text) + len(GAP)
    return Transcript(GAP.join(p.paragraph.text for p in placed), tuple(placed), tuple(cues))


def _moved(cues: Sequence[Cue], by: int) -> Iterable[Cue]:
    return (Cue(cue.start + by, cue.end + by, cue.start_s, cue.end_s) for cue in cues)
