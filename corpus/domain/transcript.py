"""A lecture's one text, with its paragraphs and cues as spans of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .passage import Cue
from .text.spans import within
from .text.traced import TracedPiece

GAP = "\n\n"  # between paragraphs


@dataclass(frozen=True, slots=True)
class SourceParagraph:
    """A clean paragraph as its source gives it; cue spans are characters within `text`.

    `source` is the stretch of the file it was made of and `origins` where in that each character stood; both are empty
    where the text is its own source.
    """

    text: str
    address: str
    heading: str = ""
    speaker: str = ""
    cues: tuple[Cue, ...] = ()
    source: str = ""
    origins: tuple[TracedPiece, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedParagraph:
    """A paragraph and its character span in the transcript."""

    start: int
    end: int
    paragraph: SourceParagraph


@dataclass(frozen=True, slots=True)
class Transcript:
    """The paragraphs joined by blank lines; every span is characters within `text`."""

    text: str
    paragraphs: tuple[PlacedParagraph, ...]
    cues: tuple[Cue, ...]

    def cues_within(self, start: int, end: int) -> tuple[Cue, ...]:
        """Return the cues that share a character with [start, end), clipped to it and counted from `start`.

        Seconds stay those of the whole cue: where in a cue a word is spoken is not known.
        """
        return tuple(
            Cue(max(cue.start, start) - start, min(cue.end, end) - start, cue.start_s, cue.end_s)
            for cue in within(self.cues, start, end)
        )

    def paragraphs_within(self, start: int, end: int) -> tuple[PlacedParagraph, ...]:
        """Return the paragraphs that share a character with [start, end), clipped to it and counted from `start`."""
        return tuple(
            PlacedParagraph(max(placed.start, start) - start, min(placed.end, end) - start, placed.paragraph)
            for placed in within(self.paragraphs, start, end)
        )


def assemble(paragraphs: Iterable[SourceParagraph]) -> Transcript:
    """Join paragraphs into one transcript."""
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
